import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Features of a plan (spec §2.3). */
export const PLAN_FEATURES = ['BULK_MSG_LIMIT', 'BULK_EXCEL', 'MEDIA', 'THIRD_PARTY_API'] as const;
export type PlanFeature = (typeof PLAN_FEATURES)[number];

/** Features and limits of an account. */
export interface Plan {
  name: string;
  features: string[];
  /** Maximum recipients per bulk call. */
  bulkRecipients: number;
  /** Maximum rows per spreadsheet. */
  excelRows: number;
  /** Requests per window for each API client. */
  rateLimit: number;
  rateWindowSeconds: number;
  /** Maximum burst of requests. */
  rateBurst: number;
  /** Utility credits granted monthly. */
  monthlyCredits: number;
}

/** Returns the caller's plan, on a route with `@RequireFeature()`. */
export const AccountPlan = createParamDecorator((_: unknown, context: ExecutionContext): Plan => {
  const { plan } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!plan) throw new Error('the route needs no feature of the plan');
  return plan;
});
