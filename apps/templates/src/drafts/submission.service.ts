import { Inject, Injectable } from '@nestjs/common';
import { normaliseLanguage } from '@switchboard/contracts';
import { dueIn, Transactions } from '@switchboard/database';
import { CONFIG, Every, type Logger, LOGGER, Wakeup } from '@switchboard/platform';
import { hasNamedVariables } from '@switchboard/template-rules';
import { UpstreamError, type UpstreamTemplate } from '@switchboard/upstream';
import { DataSource } from 'typeorm';
import type { TemplatesConfig } from '../config';
import { pauseAfter } from '../sync/backoff';
import { SyncService } from '../sync/sync.service';
import { requestSync, restBusiness } from '../sync/upstream-accounts.queries';
import { HeaderSamples, SampleGoneError } from '../header-samples/header-samples.service';
import { UpstreamTemplates } from '../upstream/upstream-templates';
import { isSameContent } from './content-key';
import { editableComponents } from './editable-components';
import {
  claimSubmission,
  NEXT_DUE_DRAFT,
  putOff,
  settleLanded,
  settleRefused,
  type SubmissionClaim,
} from './submissions.queries';

const INVALID_PARAMETER = 100;
const NAME_EXISTS = 2388024;
const CANNOT_CHANGE = 2388039;
/** Upstream calls per submission: list, submit and list again. */
const CALLS = 3;
/** Concurrent submissions per process. */
const SUBMITTERS = 2;
const POLL_MS = 1_000;
const LEASE_MARGIN_SECONDS = 10;
const LONGEST_PAUSE_SECONDS = 600;

/** The template's upstream id, or the reason for its rejection. */
type Outcome = { landedAs: string } | { refusedBecause: string };

/**
 * Submits drafts to the upstream platform, exactly once even after crashes. Name and language are unique upstream, and
 * a stored edit is recognised by its content. After a lost response, the service lists the template before it repeats
 * anything.
 */
@Injectable()
export class SubmissionService {
  constructor(
    private readonly transactions: Transactions,
    private readonly upstream: UpstreamTemplates,
    private readonly samples: HeaderSamples,
    @Inject(CONFIG) private readonly config: TemplatesConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Submits the draft that has been due longest.
   * @returns true if a draft was due
   */
  async submitNext(): Promise<boolean> {
    const { UPSTREAM_TIMEOUT_MS, SAMPLE_UPLOAD_TIMEOUT_MS } = this.config;
    const leaseSeconds = {
      calls: Math.ceil((CALLS * UPSTREAM_TIMEOUT_MS) / 1_000) + LEASE_MARGIN_SECONDS,
      sample: Math.ceil(SAMPLE_UPLOAD_TIMEOUT_MS / 1_000),
    };
    const claim = await this.transactions.run((tx) => claimSubmission(tx, leaseSeconds));
    if (!claim) return false;
    const { accountId, id: draftId, name, language, attempts, mayHaveLanded } = claim;
    const startedAt = performance.now();
    const outcome = await this.land(claim).catch((error: unknown) => {
      if (error instanceof UpstreamError) return error;
      throw error;
    });
    const settled = await this.settle(claim, outcome);
    this.logger.info(
      {
        accountId,
        draftId,
        name,
        language,
        attempts,
        mayHaveLanded,
        ...settled,
        durationMs: Math.round(performance.now() - startedAt),
      },
      'template.submitted',
    );
    return true;
  }

  private async land(claim: SubmissionClaim): Promise<Outcome> {
    if (claim.mayHaveLanded) {
      const landed = await this.findLanded(claim);
      if (landed) return landed;
    }
    try {
      return { landedAs: await this.submit(claim) };
    } catch (error) {
      if (error instanceof SampleGoneError) return { refusedBecause: error.message };
      if (!(error instanceof UpstreamError) || !isRefusal(error)) throw error;
      // An earlier attempt may have caused this rejection.
      const isDoubled = error.subcode === NAME_EXISTS || error.subcode === CANNOT_CHANGE;
      const landed = isDoubled && claim.mayHaveLanded ? await this.findLanded(claim) : undefined;
      return landed ?? { refusedBecause: error.details ?? error.title };
    }
  }

  /** @returns the upstream id of the template */
  private async submit({ kind, templateId, ...claim }: SubmissionClaim): Promise<string> {
    const { name, language, category, components, ttlSeconds } = claim;
    const more = {
      ...(category !== 'AUTHENTICATION' && {
        parameter_format: hasNamedVariables(components) ? ('NAMED' as const) : ('POSITIONAL' as const),
      }),
      ...(ttlSeconds !== null && { message_send_ttl_seconds: ttlSeconds }),
    };
    if (kind === 'create' || templateId === null) {
      return this.upstream.create(claim, { name, language, category, components, ...more });
    }
    await this.upstream.edit(claim, { templateId, edit: { category, components, ...more } });
    return templateId;
  }

  /**
   * Finds the result of an attempt whose response was lost.
   * @returns undefined when there is none
   */
  private async findLanded(claim: SubmissionClaim): Promise<Outcome | undefined> {
    const { name, language, kind, templateId } = claim;
    const { templates } = await this.upstream.list(claim, { name });
    const found = templates.find(
      (template) =>
        template.name === name &&
        normaliseLanguage(template.language) === language &&
        (kind === 'create' || String(template.id) === templateId),
    );
    if (found && isSameAs(claim, found)) return { landedAs: String(found.id) };
    return found && kind === 'create'
      ? { refusedBecause: 'There is another template of this name and language already.' }
      : undefined;
  }

  private settle(claim: SubmissionClaim, outcome: Outcome | UpstreamError): Promise<object> {
    return this.transactions.run(async (tx) => {
      if (outcome instanceof UpstreamError) {
        const { seconds, isRest } = pauseAfter(outcome, {
          failures: claim.attempts - 1,
          intervalSeconds: LONGEST_PAUSE_SECONDS,
        });
        const mayHaveLanded = claim.mayHaveLanded || outcome.kind === 'unknown-outcome';
        if (isRest) await restBusiness(tx, claim.wabaId, seconds);
        await putOff(tx, claim, { seconds, problem: outcome.title, mayHaveLanded });
        return { outcome: 'put off', seconds, code: outcome.code, title: outcome.title };
      }
      if ('refusedBecause' in outcome) {
        await settleRefused(tx, claim, outcome.refusedBecause);
        return { outcome: 'refused', reason: outcome.refusedBecause };
      }
      // The sync stores the template, publishes its status and updates the category that the platform chose. Request it
      // before settling the draft, because leaving a business locks the business first.
      await requestSync(tx, claim.wabaId);
      const isSettled = await settleLanded(tx, claim, outcome.landedAs);
      const template = { accountId: claim.accountId, templateId: outcome.landedAs };
      if (isSettled) await this.samples.retainSamples(tx, template, claim.components);
      return { outcome: 'landed', templateId: outcome.landedAs };
    });
  }
}

/** Submits waiting drafts continuously. Any number of processes may run it. */
@Injectable()
export class SubmissionLoop {
  /** Checks for waiting drafts immediately instead of at the next poll. */
  readonly wakeup = new Wakeup();

  constructor(
    private readonly dataSource: DataSource,
    private readonly submissions: SubmissionService,
    private readonly sync: SyncService,
  ) {}

  /**
   * Submits one draft and wakes the sync.
   * @returns true if a draft was due, or the time until the next one is due
   */
  @Every({
    name: 'templates.submission',
    everyMs: POLL_MS,
    parallel: SUBMITTERS,
    restsWhenIdle: true,
    wakeup: (loop: SubmissionLoop) => loop.wakeup,
  })
  async submitNext(): Promise<boolean | number> {
    if (!(await this.submissions.submitNext())) return dueIn(this.dataSource, NEXT_DUE_DRAFT, POLL_MS);
    this.sync.wakeup.wake();
    return true;
  }
}

/** Returns true for a final error about this template. Other errors are temporary or concern the account. */
function isRefusal({ kind, code, retriable, category }: UpstreamError): boolean {
  return kind === 'rejected' && code === INVALID_PARAMETER && !retriable && category !== 'auth';
}

function isSameAs(claim: SubmissionClaim, { category, components = [] }: UpstreamTemplate): boolean {
  return (
    isSameContent(claim, { category, components: editableComponents(claim.category, components) }) &&
    (claim.kind === 'create' || category.toUpperCase() === claim.category)
  );
}
