import { Inject, Injectable } from '@nestjs/common';
import { type BusinessLeftV1, templateContentChangedV1 } from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { releaseSamples } from '../header-samples/template-samples.queries';
import { Every, LOGGER, type Logger } from '@switchboard/platform';

/**
 * Marks the business account as left. Events may arrive out of order: credentials stored after `leftAt` stay.
 * Credentials stored before it do not re-attach the account, even if they arrive later. The first sync after a return
 * reports no changes, like any first sync.
 * $1 account, $2 WABA, $3 when it was left
 */
const LEAVE = `
  INSERT INTO upstream_accounts AS account (account_id, waba_id, sealed_access_token, left_at)
  VALUES ($1, $2, '', $3)
  ON CONFLICT (account_id, waba_id) DO UPDATE
  SET sealed_access_token = '', left_at = excluded.left_at, reading_since = NULL,
    last_synced_at = NULL, failures = 0, failed_at = NULL, problem = NULL
  WHERE account.token_stored_at IS NULL OR account.token_stored_at < excluded.left_at
  RETURNING waba_id`;

const FORGET_TEMPLATES = 'DELETE FROM templates WHERE account_id = $1 AND waba_id = $2 RETURNING id, name';

/** Rejects drafts that would otherwise wait forever. $1 reason; $2 account and $3 WABA, or null for all */
const REFUSE_DRAFTS = `
  UPDATE template_drafts AS draft SET state = 'refused', problem = $1, may_have_landed = false, updated_at = now()
  FROM upstream_accounts AS business
  WHERE draft.state = 'submitting' AND business.account_id = draft.account_id AND business.waba_id = draft.waba_id
    AND left_at IS NOT NULL AND ($2::text IS NULL OR draft.account_id = $2) AND ($3::text IS NULL OR draft.waba_id = $3)
  RETURNING draft.account_id AS "accountId", draft.id AS "draftId"`;

const NO_NUMBER = 'The account has no number of this business account any more.';
const HEAL_EVERY_MS = 60_000;

/** Stops the syncs of a business account once the account has removed its last number there. */
@Injectable()
export class LeftBusinesses {
  constructor(
    private readonly transactions: Transactions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Stops the syncs and deletes the token and the templates, which no number can send any longer. Retains drafts and
   * history. Idempotent.
   */
  async leave({ accountId, wabaId, leftAt }: BusinessLeftV1): Promise<void> {
    const templates = await this.transactions.run(async (tx) => {
      const [left] = await tx.query(LEAVE, [accountId, wabaId, leftAt]);
      if (!left) return undefined;
      await tx.query(REFUSE_DRAFTS, [NO_NUMBER, accountId, wabaId]);
      const gone = await tx.query<{ id: string; name: string }>(FORGET_TEMPLATES, [accountId, wabaId]);
      await releaseSamples(
        tx,
        accountId,
        gone.map(({ id }) => id),
      );
      for (const templateName of new Set(gone.map(({ name }) => name)))
        tx.publish(templateContentChangedV1, { accountId, templateName });
      return gone.length;
    });
    this.logger.info(
      { accountId, wabaId, templates, outcome: templates === undefined ? 'back' : 'left' },
      'business.left',
    );
  }

  /**
   * Rejects drafts that no process will submit: an earlier version did not lock the business account while it submitted
   * a draft. Their content is retained and can be submitted again once the account returns to the business.
   */
  @Every({ name: 'templates.left-drafts', everyMs: HEAL_EVERY_MS })
  async refuseForgottenDrafts(): Promise<void> {
    const refused = await this.transactions.run((tx) =>
      tx.query<{ accountId: string; draftId: string }>(REFUSE_DRAFTS, [NO_NUMBER, null, null]),
    );
    for (const draft of refused) this.logger.info(draft, 'template-draft.rejected');
  }
}
