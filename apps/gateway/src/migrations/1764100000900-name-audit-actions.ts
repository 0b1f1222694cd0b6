import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was called by its end (`key.revoked`), beside what is called by what it does (`key.revoke`). */
const NAMES = [
  ['user.invited', 'user.invite'],
  ['user.renamed', 'user.rename'],
  ['user.enabled', 'user.enable'],
  ['user.disabled', 'user.disable'],
  ['user.created', 'user.create'],
  ['user.signed-in', 'user.sign-in'],
  ['user.signed-out', 'user.sign-out'],
  ['user.role-set', 'user.set-role'],
  ['user.password-set', 'user.set-password'],
  ['user.password-reset-offered', 'user.offer-password-reset'],
  ['user.sessions-ended', 'user.end-sessions'],
  ['user.recovery-codes-renewed', 'user.renew-recovery-codes'],
  ['user.second-factor-enabled', 'user.enable-second-factor'],
  ['user.second-factor-disabled', 'user.disable-second-factor'],
  ['user.second-factor-reset', 'user.reset-second-factor'],
  ['user.invitation-withdrawn', 'user.withdraw-invitation'],
  ['credits.topped-up', 'credits.top-up'],
  ['key.rotated', 'key.rotate'],
  ['key.revoked', 'key.revoke'],
  ['key.created', 'key.create'],
  ['account.created', 'account.create'],
  ['account.suspended', 'account.suspend'],
  ['account.resumed', 'account.resume'],
  ['account.overridden', 'account.override'],
  ['account.plan-set', 'account.set-plan'],
  ['account.overrides-reset', 'account.reset-overrides'],
  ['dead-letter.shown', 'dead-letter.show'],
  ['queues.pruned', 'queues.prune'],
  ['number.stopped', 'number.stop'],
  ['job.paused', 'job.pause'],
] as const;

/**
 * One tense for all actions of the audit log, as an entry can also tell of what was refused. What is on record changes
 * its name with them: a filter finds old and new entries alike.
 */
export class NameAuditActions1764100000900 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `UPDATE audit_log SET action = renamed.after
       FROM unnest($1::text[], $2::text[]) AS renamed (before, after) WHERE action = renamed.before`,
      [NAMES.map(([before]) => before), NAMES.map(([, after]) => after)],
    );
    await runner.query(
      `UPDATE audit_log SET action = 'job.finish', details = details || jsonb_build_object('status', split_part(action, '.', 2))
       WHERE action IN ('job.completed', 'job.cancelled', 'job.failed')`,
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
