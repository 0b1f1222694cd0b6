import { Inject, Injectable } from '@nestjs/common';
import { templateContentChangedV1, templateStatusChangedV1 } from '@switchboard/contracts';
import { dueIn, type Transaction, Transactions } from '@switchboard/database';
import { CONFIG, Every, type Logger, LOGGER, Wakeup } from '@switchboard/platform';
import { UpstreamError, type UpstreamTemplate } from '@switchboard/upstream';
import { DataSource } from 'typeorm';
import type { TemplatesConfig } from '../config';
import { UpstreamTemplates } from '../upstream/upstream-templates';
import { pauseAfter } from './backoff';
import { type ListedTemplate, toListed } from './listed-template';
import {
  answerCallbacks,
  beginTakeOver,
  endTakeOver,
  explainChanges,
  listKnown,
  recordChanges,
  replaceTemplates,
  setFlags,
} from './reading.queries';
import {
  findChanges,
  findFlags,
  isReported,
  reasonsOf,
  sinceFlag,
  type TemplateChange,
  withReasons,
} from './template-changes';
import {
  claimDueAccount,
  NEXT_DUE_ACCOUNT,
  recordFailure,
  recordPage,
  restBusiness,
  type SyncClaim,
  waitForNextSync,
} from './upstream-accounts.queries';

/** Twice the upstream limit of templates per business. If there are more pages, the cursors form a loop. */
const MAX_PAGES = 120;
const PAGE_SIZE = 100;
/** Concurrent syncs per process, so that a slow one does not block the others. */
const READERS = 4;
const POLL_MS = 1_000;

/** Syncs the templates of due accounts and applies changes. */
@Injectable()
export class SyncService {
  /** Checks for due accounts immediately instead of at the next poll. */
  readonly wakeup = new Wakeup();

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly upstream: UpstreamTemplates,
    @Inject(CONFIG) private readonly config: TemplatesConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Syncs the account that has been due longest. Any number of processes may run it. Backs off after consecutive
   * failures. While the upstream platform is throttling, no account of the business is synced.
   * @returns true if an account was due, or the time until the next one is due
   */
  @Every({
    name: 'templates.sync',
    everyMs: POLL_MS,
    parallel: READERS,
    restsWhenIdle: true,
    wakeup: (sync: SyncService) => sync.wakeup,
  })
  async syncNext(signal: AbortSignal): Promise<boolean | number> {
    const claim = await claimDueAccount(this.dataSource);
    if (!claim) return dueIn(this.dataSource, NEXT_DUE_ACCOUNT, POLL_MS);
    const { accountId, wabaId } = claim;
    const startedAt = performance.now();
    try {
      const listed = toListed(await this.readAll(claim, signal));
      const outcome = await this.takeOver(claim, listed);
      this.logger.info(
        { accountId, wabaId, ...outcome, durationMs: Math.round(performance.now() - startedAt) },
        'templates.synced',
      );
    } catch (error) {
      // A sync aborted by shutdown is not a failure. Its lease ends soon.
      if (!(error instanceof UpstreamError) || signal.aborted) throw error;
      await this.putOff(claim, error);
    }
    return true;
  }

  /**
   * Reads all pages or fails, because an incomplete list would look like deleted templates. Renews the lease after each
   * page.
   */
  private async readAll(claim: SyncClaim, signal: AbortSignal): Promise<UpstreamTemplate[]> {
    const { wabaId } = claim;
    const templates: UpstreamTemplate[] = [];
    let after: string | undefined;
    for (let pages = 1; pages <= MAX_PAGES; pages += 1) {
      const page = await this.upstream.list(claim, { after, limit: PAGE_SIZE, signal });
      templates.push(...page.templates);
      claim.leaseUntil = await recordPage(this.dataSource, claim, { pages, templates: templates.length });
      if (!page.after) return templates;
      after = page.after;
    }
    throw new Error(`business ${wabaId}: the list of templates does not end`);
  }

  private async putOff(claim: SyncClaim, error: UpstreamError): Promise<void> {
    const { accountId, wabaId, failures } = claim;
    const { kind, code, title } = error;
    const { seconds, isRest } = pauseAfter(error, { failures, intervalSeconds: this.config.SYNC_INTERVAL_SECONDS });
    this.logger.warn({ accountId, wabaId, kind, code, title, failures, seconds, isRest }, 'templates.sync-failed');
    await this.transactions.run(async (tx) => {
      // The lease ends before the pause does, so the next sync starts after the pause. Lock all accounts of the
      // business before this account.
      if (isRest) await restBusiness(tx, wabaId, seconds);
      await recordFailure(tx, claim, title);
      if (!isRest) await waitForNextSync(tx, claim, seconds);
    });
  }

  /** Stores the templates, their history and the events about them in one transaction. */
  private takeOver(
    claim: SyncClaim,
    listed: ListedTemplate[],
  ): Promise<{ outcome: string; templates: number; changes: number }> {
    return this.transactions.run(async (tx) => {
      const account = await beginTakeOver(tx, claim);
      if (!account) return { outcome: 'superseded', templates: listed.length, changes: 0 };
      const callbacks = await answerCallbacks(tx, claim);
      const known = await listKnown(tx, claim);
      const changes = withReasons(findChanges(known, listed), callbacks);
      const touched = await replaceTemplates(tx, claim, listed);
      // Explain earlier changes before recording the new ones, which already have their reasons.
      const explained = await explainChanges(tx, claim, reasonsOf(unchanged(listed, changes), callbacks));
      await recordChanges(tx, claim, changes);
      const reported = changes.filter((change) => isReported(change, account));
      for (const change of reported) publishChange(tx, claim.accountId, sinceFlag(change, known), account.now);
      for (const template of listed) {
        const late = explained.find(({ id }) => id === template.id);
        if (late) publishChange(tx, claim.accountId, { ...template, ...late }, account.now);
      }
      const flags = findFlags(known, listed, account.isFirstReading ? [] : callbacks);
      for (const { template, ...news } of flags.news)
        publishChange(tx, claim.accountId, { ...template, ...news }, account.now, true);
      await setFlags(tx, claim, flags.flagReasons);
      const unreported = new Set(
        account.isFirstReading ? [] : touched.filter((name) => !reported.some((change) => change.name === name)),
      );
      for (const templateName of unreported)
        tx.publish(templateContentChangedV1, { accountId: claim.accountId, templateName });
      await endTakeOver(tx, claim);
      await waitForNextSync(tx, claim, this.config.SYNC_INTERVAL_SECONDS);
      return { outcome: 'taken over', templates: listed.length, changes: changes.length };
    });
  }
}

function unchanged(listed: readonly ListedTemplate[], changes: readonly TemplateChange[]): ListedTemplate[] {
  const changed = new Set(changes.map(({ id }) => id));
  return listed.filter(({ id }) => !changed.has(id));
}

function publishChange(
  tx: Transaction,
  accountId: string,
  change: Pick<TemplateChange, 'id' | 'name' | 'language' | 'category' | 'status' | 'previousStatus' | 'reason'>,
  now: Date,
  sendable = change.status === 'APPROVED',
): void {
  const { id, name, language, category, status, previousStatus, reason } = change;
  const template = { templateId: id, templateName: name, language, category };
  tx.publish(templateStatusChangedV1, {
    accountId,
    ...template,
    status,
    previousStatus,
    reason,
    sendable,
    timestamp: now.toISOString(),
  });
  tx.publish(templateContentChangedV1, { accountId, templateName: name });
}
