import 'reflect-metadata';
import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import type { FastifyContextConfig } from 'fastify';

/** Adds to what other decorators say about a route; the framework's own decorator would replace it. */
export function extendRouteConfig(config: FastifyContextConfig): MethodDecorator {
  return (target, key, descriptor: PropertyDescriptor) => {
    const earlier = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, descriptor.value as object) as
      | object
      | undefined;
    RouteConfig({ ...earlier, ...config })(target, key, descriptor);
  };
}
