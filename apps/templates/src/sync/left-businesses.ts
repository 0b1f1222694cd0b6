import { Inject, Injectable } from '@nestjs/common';
import { type BusinessLeftV1, templateContentChangedV1 } from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { LOGGER, type Logger } from '@switchboard/platform';

/**
 * Events may come out of order: credentials that were stored later stay, and those that were stored before do not bring
 * the business back, also when they arrive only now. The first reading after a return reports nothing, as any first. $1 account, $2 WABA, $3 when it was left
 */
const LEAVE = `
  INSERT INTO upstream_accounts AS account (account_id, waba_id, sealed_access_token, left_at)
  VALUES ($1, $2, '', $3)
  ON CONFLICT (account_id, waba_id) DO UPDATE
  SET sealed_access_token = '', left_at = excluded.left_at, reading_since = NULL,
    last_synced_at = NULL, failures = 0, failed_at = NULL, problem = NULL
  WHERE account.token_stored_at IS NULL OR account.token_stored_at < excluded.left_at
  RETURNING waba_id`;

const FORGET_TEMPLATES = 'DELETE FROM templates WHERE account_id = $1 AND waba_id = $2 RETURNING name';

/** They would wait for ever. $3 why */
const REFUSE_DRAFTS = `
  UPDATE template_drafts SET state = 'refused', problem = $3, may_have_landed = false, updated_at = now()
  WHERE account_id = $1 AND waba_id = $2 AND state = 'submitting'`;

/** Ends what is done for business accounts of which an account has no number any more. */
@Injectable()
export class LeftBusinesses {
  constructor(
    private readonly transactions: Transactions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Nothing is read any more, the token is forgotten, and the templates leave the lists: no number can send them.
   * Drafts and the history stay. Doing it again is harmless.
   */
  async leave({ accountId, wabaId, leftAt }: BusinessLeftV1): Promise<void> {
    const templates = await this.transactions.run(async (tx) => {
      const [left] = await tx.query(LEAVE, [accountId, wabaId, leftAt]);
      if (!left) return undefined;
      await tx.query(REFUSE_DRAFTS, [
        accountId,
        wabaId,
        'The account has no number of this business account any more.',
      ]);
      const gone = await tx.query<{ name: string }>(FORGET_TEMPLATES, [accountId, wabaId]);
      for (const templateName of new Set(gone.map(({ name }) => name)))
        tx.publish(templateContentChangedV1, { accountId, templateName });
      return gone.length;
    });
    this.logger.info(
      { accountId, wabaId, templates, outcome: templates === undefined ? 'back' : 'left' },
      'business.left',
    );
  }
}
