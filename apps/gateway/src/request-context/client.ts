import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Plan } from './plan';
import type { RateUsage } from './rate-usage';

/** Who is calling: an API key, its account and the account's plan. */
export interface ApiClient {
  keyId: string;
  /** Stays when a key is replaced by another one: rate limit and Idempotency-Keys count by it. */
  clientId: string;
  keyName: string;
  keyPrefix: string;
  allowedIps: string[];
  allowedRoutes: string[];
  expiresAt: Date | null;
  /** Whether its account is; the key is then good for nothing. */
  isSuspended: boolean;
  account: { id: string; name: string; createdAt: Date };
  plan: Plan;
}

/** The caller of an authenticated route. */
export const Client = createParamDecorator((_: unknown, context: ExecutionContext): ApiClient => {
  const { client } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!client) throw new Error('the route is public: it has no client');
  return client;
});

/** The caller's rate limit after this request. */
export const Usage = createParamDecorator((_: unknown, context: ExecutionContext): RateUsage => {
  const { rateUsage } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!rateUsage) throw new Error('the route is public: it has no rate limit');
  return rateUsage;
});
