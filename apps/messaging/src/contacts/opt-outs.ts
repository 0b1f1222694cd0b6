import { DEFAULT_OPT_IN_WORDS, DEFAULT_OPT_OUT_WORDS } from '@switchboard/contracts';
import { batchOf, type Transaction } from '@switchboard/database';
import { optOutChangeOf, type OptOutWords } from './opt-out-words';

/** Reads the custom words of an account. Null stands for the default words. $1 account */
const FIND_WORDS = `
  SELECT opt_out_words AS "optOut", opt_in_words AS "optIn" FROM account_settings WHERE account_id = $1`;

/** Opt-outs and opt-ins, one per contact. */
const CHANGES = batchOf({ contactId: 'text', refuses: 'boolean', at: 'timestamptz', word: 'text' }, { from: 2 });

const optOutSql = (flag: 'opted_out' | 'marketing_opted_out', more = ''): string => `
  WITH locked AS MATERIALIZED (
    -- Locks contacts in the same order as callbacks do, to prevent deadlocks.
    SELECT id FROM contacts WHERE id = ANY (${CHANGES.list('contactId')}) AND account_id = $1 ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE contacts SET ${flag} = change.refuses, ${flag}_at = change.at${more}
  FROM ${CHANGES.unnest('change')} JOIN locked ON locked.id = change.contact_id
  WHERE contacts.id = change.contact_id AND contacts.account_id = $1
    -- Ignores an older change that arrives late. The stored time is that of the last change, opt-out or opt-in.
    AND (${flag}_at IS NULL OR change.at >= ${flag}_at)`;

/** Stores opt-outs that contacts wrote in messages to the account. $1 account, then `CHANGES` */
const SET_OPT_OUTS = optOutSql(
  'opted_out',
  `, opted_out_source = CASE WHEN change.refuses THEN 'message' END,
    opted_out_detail = CASE WHEN change.refuses THEN change.word END`,
);

/** Stores marketing opt-outs that contacts declared to the upstream platform. Same parameters. */
const SET_MARKETING_OPT_OUTS = optOutSql('marketing_opted_out');

/** Opt-out or opt-in of a contact. */
export interface ContactOptOut {
  contactId: string;
  refuses: boolean;
  /** ISO 8601. */
  at: string;
  /** Word of the account's list that the contact wrote. */
  word?: string;
}

interface InboundMessage {
  contactId: string;
  type: string;
  content: object | null;
  at: string;
}

/** Message types that can contain an opt-out or opt-in word. */
const TYPES_WITH_WORDS = ['text', 'button', 'interactive'];

/**
 * Records the opt-outs and opt-ins in inbound messages.
 * @returns the number of changes
 */
export async function recordWrittenOptOuts(
  tx: Transaction,
  accountId: string,
  messages: readonly InboundMessage[],
): Promise<number> {
  const written = messages.filter(({ type }) => TYPES_WITH_WORDS.includes(type));
  if (written.length === 0) return 0;
  const words = await wordsOf(tx, accountId);
  const changes = written.flatMap(({ contactId, type, content, at }): ContactOptOut[] => {
    const change = optOutChangeOf(type, content, words);
    return change ? [{ contactId, at, ...change }] : [];
  });
  await setOptOuts(tx, SET_OPT_OUTS, accountId, changes);
  return changes.length;
}

/** Records marketing opt-outs and opt-ins that contacts declared to the upstream platform. */
export function recordUpstreamOptOuts(
  tx: Transaction,
  accountId: string,
  changes: readonly ContactOptOut[],
): Promise<void> {
  return setOptOuts(tx, SET_MARKETING_OPT_OUTS, accountId, changes);
}

async function wordsOf(tx: Transaction, accountId: string): Promise<OptOutWords> {
  const [own] = await tx.query<{ optOut: string[] | null; optIn: string[] | null }>(FIND_WORDS, [accountId]);
  return { optOut: own?.optOut ?? DEFAULT_OPT_OUT_WORDS, optIn: own?.optIn ?? DEFAULT_OPT_IN_WORDS };
}

async function setOptOuts(
  tx: Transaction,
  sql: string,
  accountId: string,
  changes: readonly ContactOptOut[],
): Promise<void> {
  if (changes.length === 0) return;
  const last = new Map<string, ContactOptOut>();
  // The last change of a contact wins. The sort is stable, so changes with the same time keep their order.
  for (const change of [...changes].sort((one, other) => one.at.localeCompare(other.at)))
    last.set(change.contactId, change);
  await tx.query(sql, [
    accountId,
    ...CHANGES.parameters([...last.values()].map((change) => ({ word: null, ...change }))),
  ]);
}
