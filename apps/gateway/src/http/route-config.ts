import 'reflect-metadata';
import type { ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import type { FastifyContextConfig } from 'fastify';

/** Merges into a route's configuration, which the framework's own decorator would replace. */
export function extendRouteConfig(config: FastifyContextConfig): MethodDecorator {
  return (target, key, descriptor: PropertyDescriptor) => {
    const earlier = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, descriptor.value as object) as
      | object
      | undefined;
    RouteConfig({ ...earlier, ...config })(target, key, descriptor);
  };
}

/**
 * Returns the configuration set by a route's decorators, for guards. It is stored as Fastify's route configuration,
 * since Fastify's hooks read it before Nest has an `ExecutionContext`.
 */
export function routeConfigOf(reflector: Reflector, context: ExecutionContext): FastifyContextConfig {
  return reflector.get<FastifyContextConfig | undefined>(FASTIFY_ROUTE_CONFIG_METADATA, context.getHandler()) ?? {};
}
