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

/** What an account has besides its plan; what is absent stays as it was. */
export interface OverrideChange extends Partial<Omit<Plan, 'name' | 'features'>> {
  addedFeatures?: string[];
  removedFeatures?: string[];
}

/** Agreements with single accounts: an account's plan with exceptions, and the change of its plan. */
@Injectable()
export class OverridesService {
  constructor(
    @InjectRepository(EffectivePlan) private readonly plans: Repository<EffectivePlan>,
    private readonly transactions: Transactions,
  ) {}

  /** What holds for the account: its plan and what it has besides. @throws AppError NOT_FOUND */
  async planOf(accountId: string): Promise<Plan> {
    const plan = await this.plans.findOneBy({ accountId });
    if (!plan) throw new AppError('NOT_FOUND', { message: `not found: there is no account ${accountId}` });
    return plan;
  }

  /** @throws AppError NOT_FOUND, INVALID_PARAMETER for a feature that does not exist */
  async setOverrides(accountId: string, change: OverrideChange, actor: string): Promise<Plan> {
    checkFeatures([...(change.addedFeatures ?? []), ...(change.removedFeatures ?? [])]);
    await this.change(accountId, { actor, action: 'account.override', details: { ...change } }, (tx) =>
      tx.manager.upsert(PlanOverrides, { ...change, accountId }, ['accountId']),
    );
    return this.planOf(accountId);
  }

  /** Back to the bare plan. @throws AppError NOT_FOUND */
  async resetOverrides(accountId: string, actor: string): Promise<Plan> {
    await this.change(accountId, { actor, action: 'account.reset-overrides' }, (tx) =>
      tx.manager.delete(PlanOverrides, { accountId }),
    );
    return this.planOf(accountId);
  }

  /** Puts the account on another plan. @throws AppError NOT_FOUND, INVALID_PARAMETER when there is no such plan */
  async setPlan(accountId: string, plan: string, actor: string): Promise<Plan> {
    if (!(await this.plans.manager.existsBy(PlanEntity, { name: plan })))
      throw new AppError('INVALID_PARAMETER', { message: `there is no plan ${plan}` });
    await this.change(accountId, { actor, action: 'account.set-plan', details: { plan } }, (tx) =>
      tx.manager.update(Account, { accountId }, { plan }),
    );
    return this.planOf(accountId);
  }

  /** Writes a change of the account with its audit entry and the grant that may be due, and notifies every gateway. */
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
