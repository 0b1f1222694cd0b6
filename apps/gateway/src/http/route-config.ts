import 'reflect-metadata';
import type { ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
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

/**
 * What the decorators of a route say, for guards. The metadata is Fastify's configuration of the route, since its hooks
 * read it as well, before Nest has an `ExecutionContext`.
 */
export function routeConfigOf(reflector: Reflector, context: ExecutionContext): FastifyContextConfig {
  return reflector.get<FastifyContextConfig | undefined>(FASTIFY_ROUTE_CONFIG_METADATA, context.getHandler()) ?? {};
}
