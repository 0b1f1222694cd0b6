import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { accessChangedV1, AppError } from '@switchboard/contracts';
import { type Transaction, Transactions } from '@switchboard/database';
import type { Repository } from 'typeorm';
import { Account } from './account.entity';
import { requireAccount } from './accounts.service';
import { recordAudit } from '../audit-log/audit-log';
import { EffectivePlan } from './effective-plan.entity';
import { grantMonthly } from './monthly-grant.queries';
import type { Plan } from '../request-context/plan';
import { PlanEntity } from './plan.entity';
import { PlanOverrides } from './plan-overrides.entity';
import { checkFeatures } from './plans.service';

/** Change to an account's overrides. Absent fields stay unchanged. */
export interface OverrideChange extends Partial<Omit<Plan, 'name' | 'features'>> {
  addedFeatures?: string[];
  removedFeatures?: string[];
}

/** Manages plan overrides and plan changes of accounts. */
@Injectable()
export class OverridesService {
  constructor(
    @InjectRepository(EffectivePlan) private readonly plans: Repository<EffectivePlan>,
    private readonly transactions: Transactions,
  ) {}

  /** Returns the effective plan: the account's plan plus its overrides. @throws AppError NOT_FOUND */
  async planOf(accountId: string): Promise<Plan> {
    const plan = await this.plans.findOneBy({ accountId });
    if (!plan) throw new AppError('NOT_FOUND', { message: `not found: there is no account ${accountId}` });
    return plan;
  }

  /** @throws AppError NOT_FOUND, INVALID_PARAMETER for an unknown feature */
  async setOverrides(accountId: string, change: OverrideChange, actor: string): Promise<Plan> {
    checkFeatures([...(change.addedFeatures ?? []), ...(change.removedFeatures ?? [])]);
    await this.change(accountId, { actor, action: 'account.override', details: { ...change } }, (tx) =>
      tx.manager.upsert(PlanOverrides, { ...change, accountId }, ['accountId']),
    );
    return this.planOf(accountId);
  }

  /** Removes all overrides. @throws AppError NOT_FOUND */
  async resetOverrides(accountId: string, actor: string): Promise<Plan> {
    await this.change(accountId, { actor, action: 'account.reset-overrides' }, (tx) =>
      tx.manager.delete(PlanOverrides, { accountId }),
    );
    return this.planOf(accountId);
  }

  async setPlan(accountId: string, plan: string, actor: string): Promise<Plan> {
    if (!(await this.plans.manager.existsBy(PlanEntity, { name: plan })))
      throw new AppError('INVALID_PARAMETER', { message: `there is no plan ${plan}` });
    await this.change(accountId, { actor, action: 'account.set-plan', details: { plan } }, (tx) =>
      tx.manager.update(Account, { accountId }, { plan }),
    );
    return this.planOf(accountId);
  }

  /** Applies a change with its audit entry and any grant that is now due, and notifies all gateways. */
  private async change(
    accountId: string,
    entry: { actor: string; action: string; details?: Record<string, unknown> },
    write: (tx: Transaction) => Promise<unknown>,
  ): Promise<void> {
    await this.transactions.run(async (tx) => {
      await requireAccount(tx, accountId);
      await write(tx);
      await grantMonthly(tx, accountId);
      await recordAudit(tx, { ...entry, accountId, target: accountId });
      tx.publish(accessChangedV1, { accountId });
    });
  }
}
