import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Plan } from './plan';
import type { RateUsage } from './rate-usage';

/** Caller of the public API: an API key with its account and the account's plan. */
export interface ApiClient {
  keyId: string;
  /** Stays the same when the key is rotated, so rate limits and Idempotency-Keys use it. */
  clientId: string;
  keyName: string;
  keyPrefix: string;
  allowedIps: string[];
  allowedRoutes: string[];
  expiresAt: Date | null;
  /** True if the account is suspended; requests with the key are then rejected. */
  isSuspended: boolean;
  account: { id: string; name: string; createdAt: Date };
  plan: Plan;
}

/** Returns the caller of an authenticated route. */
export const Client = createParamDecorator((_: unknown, context: ExecutionContext): ApiClient => {
  const { client } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!client) throw new Error('the route is public: it has no client');
  return client;
});

/** Returns the caller's rate limit usage after this request. */
export const Usage = createParamDecorator((_: unknown, context: ExecutionContext): RateUsage => {
  const { rateUsage } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!rateUsage) throw new Error('the route is public: it has no rate limit');
  return rateUsage;
});
