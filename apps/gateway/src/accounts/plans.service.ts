import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { accessChangedV1, AppError } from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import type { Repository } from 'typeorm';
import { recordAudit } from '../audit-log/audit-log';
import { type Plan, PLAN_FEATURES } from '../request-context/plan';
import { PlanEntity } from './plan.entity';

/** Changes to a plan. Absent fields stay unchanged. */
export type PlanChange = Partial<Omit<Plan, 'name'>>;

/** Default rate limit of a new plan. */
const STARTER = { rateLimit: 60, rateWindowSeconds: 60 };

/** Manages plans. A change takes effect on the next request of every account on the plan. */
@Injectable()
export class PlansService {
  constructor(
    @InjectRepository(PlanEntity) private readonly plans: Repository<PlanEntity>,
    private readonly transactions: Transactions,
  ) {}

  listPlans(): Promise<PlanEntity[]> {
    return this.plans.find({ order: { rateLimit: 'ASC', name: 'ASC' } });
  }

  /** Changes a plan, or creates it. @throws AppError INVALID_PARAMETER for an unknown feature */
  setPlan(name: string, change: PlanChange, actor: string): Promise<PlanEntity> {
    checkFeatures(change.features ?? []);
    return this.transactions.run(async (tx) => {
      const plans = tx.manager.getRepository(PlanEntity);
      await plans
        .createQueryBuilder()
        .insert()
        .values({ name, ...STARTER })
        .orIgnore()
        .execute();
      await plans.save({ ...change, name });
      const plan = await plans.findOneByOrFail({ name });
      await recordAudit(tx, { actor, action: 'plan.set', target: name, details: { ...change } });
      tx.publish(accessChangedV1, { planName: name });
      return plan;
    });
  }
}

/** @throws AppError INVALID_PARAMETER for an unknown feature */
export function checkFeatures(features: readonly string[]): void {
  const unknown = features.find((feature) => !PLAN_FEATURES.some((known) => known === feature));
  if (unknown !== undefined)
    throw new AppError('INVALID_PARAMETER', {
      message: `there is no feature ${unknown}: use ${PLAN_FEATURES.join(', ')}`,
    });
}
