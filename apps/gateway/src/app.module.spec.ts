import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { MODULE_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/internal';
import { APP_GUARD } from '@nestjs/core';
import { AppModule } from './app.module';
import { ApiKeyGuard } from './auth/api-key.guard';
import { PlanFeatureGuard } from './auth/plan-feature.guard';
import { RateLimitGuard } from './auth/rate-limit.guard';
import { RolesGuard } from './auth/roles.guard';
import { SessionGuard } from './auth/session.guard';
import { BODIES, type Bodies } from './openapi/decorators';

/** Their service validates the body: recipients one at a time, since a wrong one stops no other. */
const VALIDATED_BY_SERVICE = ['BulkController.send', 'ConsoleNewJobsController.create'];

const providers = metadataOf<{ provide?: unknown; useExisting?: unknown }>(MODULE_METADATA.PROVIDERS);
const controllers = metadataOf<Type<object>>(MODULE_METADATA.CONTROLLERS);

describe('AppModule', () => {
  it('registers all guards for every route, in the order of the checks', () => {
    const guards = providers.filter(({ provide }) => provide === APP_GUARD).map(({ useExisting }) => useExisting);
    expect(guards).toEqual([ApiKeyGuard, SessionGuard, RateLimitGuard, RolesGuard, PlanFeatureGuard]);
  });

  it('validates every JSON body by the class that describes it', () => {
    const handlers = handlersWithJsonBodies();
    expect(handlers.length).toBeGreaterThan(30);
    const unvalidated = handlers.filter(({ described, validated }) => described !== validated);
    expect(unvalidated.map(({ name }) => name).sort()).toEqual(VALIDATED_BY_SERVICE);
  });
});

/** Providers or controllers of all modules that `AppModule` lists. */
function metadataOf<T>(key: string): T[] {
  const modules = Reflect.getMetadata(MODULE_METADATA.IMPORTS, AppModule) as Type<object>[];
  return modules.flatMap((module) => (Reflect.getMetadata(key, module) as T[] | undefined) ?? []);
}

/** Handlers whose description has a JSON body, with its class and the type of their `@Body()` parameter. */
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
  const args = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) as Record<string, { index: number }>;
  const [, body] = Object.entries(args).find(([key]) => key.startsWith(`${RouteParamtypes.BODY}:`)) ?? [];
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype as object, name) as unknown[];
  return body && types[body.index];
}
