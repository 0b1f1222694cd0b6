import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/internal';
import { APP_GUARD } from '@nestjs/core';
import { type BodyClass, propertiesOf } from '@switchboard/contracts';
import { AppModule } from './app.module';
import { ApiKeyGuard } from './auth/api-key.guard';
import { PlanFeatureGuard } from './auth/plan-feature.guard';
import { RateLimitGuard } from './auth/rate-limit.guard';
import { RolesGuard } from './auth/roles.guard';
import { SessionGuard } from './auth/session.guard';
import { BODIES, type Bodies } from './openapi/decorators';
import { V1_CONTROLLERS } from './reference/api-controllers';

/**
 * Handlers whose service validates the body itself: one invalid recipient must not reject the others, and the body of a
 * call that resumes a job may be absent.
 */
const VALIDATED_BY_SERVICE = [
  'BulkController.send',
  'ConsoleAudienceController.create',
  'ConsoleJobsController.resume',
  'ConsoleNewJobsController.create',
  'JobsController.resume',
];

const providers = metadataOf<{ provide?: unknown; useExisting?: unknown }>(MODULE_METADATA.PROVIDERS);
const controllers = metadataOf<Type<object>>(MODULE_METADATA.CONTROLLERS);

describe('AppModule', () => {
  it('registers all guards globally, in the order of the checks', () => {
    const guards = providers.filter(({ provide }) => provide === APP_GUARD).map(({ useExisting }) => useExisting);
    expect(guards).toEqual([ApiKeyGuard, SessionGuard, RateLimitGuard, RolesGuard, PlanFeatureGuard]);
  });

  it('lists every API controller in the order of the description', () => {
    const ofApi = controllers.filter((controller) =>
      /^v1\b/.test(String(Reflect.getMetadata(PATH_METADATA, controller))),
    );
    expect(new Set(V1_CONTROLLERS)).toEqual(new Set(ofApi));
    expect(V1_CONTROLLERS.length).toBe(ofApi.length);
  });

  it('validates every JSON body by its described class', () => {
    const handlers = handlersWithJsonBodies();
    expect(handlers.length).toBeGreaterThan(30);
    const unvalidated = handlers.filter(({ described, validated }) => described !== validated);
    expect(unvalidated.map(({ name }) => name).sort()).toEqual(VALIDATED_BY_SERVICE);
  });

  it('validates every query parameter by a class that declares it', () => {
    const handlers = controllers.flatMap((controller) => queriesOf(controller));
    expect(handlers.filter(({ described }) => described.length > 0).length).toBeGreaterThan(30);
    expect(handlers.map(({ name, declared }) => [name, declared])).toEqual(
      handlers.map(({ name, described }) => [name, described]),
    );
  });

  it('validates the query parameters of a handler by one class', () => {
    const handlers = controllers.flatMap((controller) => queriesOf(controller));
    expect(handlers.filter(({ classes }) => classes > 1).map(({ name }) => name)).toEqual([]);
  });
});

interface HandlerQuery {
  name: string;
  /** Query parameters in the API description. */
  described: string[];
  /** Query parameters declared by the `@Query()` classes. */
  declared: string[];
  classes: number;
}

function queriesOf(controller: Type<object>): HandlerQuery[] {
  const prototype = controller.prototype as Record<string, object>;
  const names = Object.getOwnPropertyNames(prototype).filter((name) =>
    Reflect.hasMetadata(METHOD_METADATA, prototype[name] ?? {}),
  );
  return names.map((name) => {
    const parameters = (Reflect.getMetadata('swagger/apiParameters', prototype[name] ?? {}) ?? []) as Parameter[];
    const described = parameters.filter(({ in: place }) => place === 'query').map((parameter) => parameter.name);
    const types = typesOf(controller, name, RouteParamtypes.QUERY) as BodyClass[];
    const declared = types.flatMap((type) => propertiesOf(type).map((property) => property.name));
    return {
      name: `${controller.name}.${name}`,
      described: described.sort(),
      declared: declared.sort(),
      classes: types.length,
    };
  });
}

interface Parameter {
  in: string;
  name: string;
}

/** Returns the providers or controllers of all modules imported by `AppModule`. */
function metadataOf<T>(key: string): T[] {
  const modules = Reflect.getMetadata(MODULE_METADATA.IMPORTS, AppModule) as Type<object>[];
  return modules.flatMap((module) => (Reflect.getMetadata(key, module) as T[] | undefined) ?? []);
}

/**
 * Returns the handlers with a described JSON body: the class that describes the body and the type of the `@Body()`
 * parameter.
 */
function handlersWithJsonBodies(): { name: string; described: unknown; validated: unknown }[] {
  return controllers.flatMap((controller) => {
    const prototype = controller.prototype as Record<string, object>;
    return Object.getOwnPropertyNames(prototype).flatMap((name) => {
      const extensions = Reflect.getMetadata('swagger/apiExtension', prototype[name] ?? {}) as object | undefined;
      const described = (extensions as { [BODIES]?: Bodies } | undefined)?.[BODIES]?.json;
      if (!described) return [];
      return [{ name: `${controller.name}.${name}`, described, validated: bodyTypeOf(controller, name) }];
    });
  });
}

function bodyTypeOf(controller: Type<object>, name: string): unknown {
  return typesOf(controller, name, RouteParamtypes.BODY)[0];
}

/** Returns the types of a handler's parameters with a decorator such as `@Query()`. */
function typesOf(controller: Type<object>, name: string, decorator: RouteParamtypes): unknown[] {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<string, { index: number }>;
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype as object, name) as unknown[];
  return Object.entries(args)
    .filter(([key]) => key.startsWith(`${decorator}:`))
    .map(([, { index }]) => types[index]);
}
