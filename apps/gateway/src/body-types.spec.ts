import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/internal';
import { GatewayModule } from './gateway.module';
import { BODIES, type Bodies } from './openapi/decorators';

/** Their services validate the body: of bulk calls one recipient at a time, of sends after the plan's features. */
const VALIDATED_BY_SERVICE = [
  'BulkController.send',
  'ConsoleSendsController.send',
  'NewJobsController.create',
  'SendController.send',
];

describe('types of @Body() parameters', () => {
  it('are the classes that describe the bodies', () => {
    const handlers = handlersWithJsonBodies();
    expect(handlers.length).toBeGreaterThan(30);
    const unvalidated = handlers.filter(({ described, validated }) => described !== validated);
    expect(unvalidated.map(({ name }) => name).sort()).toEqual(VALIDATED_BY_SERVICE);
  });
});

/** Handlers whose description has a JSON body, with its class and the type of their `@Body()` parameter. */
function handlersWithJsonBodies(): { name: string; described: unknown; validated: unknown }[] {
  const { controllers = [] } = GatewayModule.with({ config: {} } as Parameters<typeof GatewayModule.with>[0]);
  return (controllers as Type<object>[]).flatMap((controller) => {
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
