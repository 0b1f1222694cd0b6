import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** What a plan can hold besides numbers (spec §2.3). */
export const PLAN_FEATURES = ['BULK_MSG_LIMIT', 'BULK_EXCEL', 'MEDIA', 'THIRD_PARTY_API'] as const;
export type PlanFeature = (typeof PLAN_FEATURES)[number];

/** What an account may do, and how much of it. */
export interface Plan {
  name: string;
  features: string[];
  /** Recipients per bulk call. */
  bulkRecipients: number;
  /** Rows per spreadsheet. */
  excelRows: number;
  /** Requests per window and API client. */
  rateLimit: number;
  rateWindowSeconds: number;
  /** Requests at once. */
  rateBurst: number;
  /** Utility credits. */
  monthlyCredits: number;
}

/** The caller's plan, on a route with `@RequireFeature()`. */
export const AccountPlan = createParamDecorator((_: unknown, context: ExecutionContext): Plan => {
  const { plan } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!plan) throw new Error('the route needs no feature of the plan');
  return plan;
});
