import type { Transaction } from '@switchboard/database';
import { DEFAULT_OPT_IN_WORDS, DEFAULT_OPT_OUT_WORDS, type PreferenceWords, wishOf } from './opt-out-words';
import { FIND_WORDS, SET_MARKETING_OPT_OUTS, SET_OPT_OUTS } from './wishes.queries';

/** A customer wants no more marketing, or wants it again. */
export interface ContactWish {
  contactId: string;
  refuses: boolean;
  /** ISO 8601. */
  at: string;
}

interface Said {
  contactId: string;
  type: string;
  content: object | null;
  at: string;
}

/** Types of messages that may hold a word of the lists. */
const SPOKEN = ['text', 'button', 'interactive'];

/** Notes the wishes that customers wrote to us. @returns how many */
export async function noteWrittenWishes(
  tx: Transaction,
  accountId: string,
  messages: readonly Said[],
): Promise<number> {
  const spoken = messages.filter(({ type }) => SPOKEN.includes(type));
  if (spoken.length === 0) return 0;
  const words = await wordsOf(tx, accountId);
  const wishes = spoken.flatMap(({ contactId, type, content, at }): ContactWish[] => {
    const wish = wishOf(type, content, words);
    return wish ? [{ contactId, refuses: wish === 'opt-out', at }] : [];
  });
  await setWishes(tx, SET_OPT_OUTS, accountId, wishes);
  return wishes.length;
}

/** Notes the wishes that customers told the upstream platform. */
export function noteUpstreamWishes(tx: Transaction, accountId: string, wishes: readonly ContactWish[]): Promise<void> {
  return setWishes(tx, SET_MARKETING_OPT_OUTS, accountId, wishes);
}

async function wordsOf(tx: Transaction, accountId: string): Promise<PreferenceWords> {
  const [own] = await tx.query<{ optOut: string[] | null; optIn: string[] | null }>(FIND_WORDS, [accountId]);
  return { optOut: own?.optOut ?? DEFAULT_OPT_OUT_WORDS, optIn: own?.optIn ?? DEFAULT_OPT_IN_WORDS };
}

async function setWishes(
  tx: Transaction,
  sql: string,
  accountId: string,
  wishes: readonly ContactWish[],
): Promise<void> {
  if (wishes.length === 0) return;
  const last = new Map<string, ContactWish>();
  // Of several wishes of one person the last one counts; the sort keeps the order of those with the same time.
  for (const wish of [...wishes].sort((one, other) => one.at.localeCompare(other.at))) last.set(wish.contactId, wish);
  const all = [...last.values()];
  await tx.query(sql, [
    accountId,
    all.map(({ contactId }) => contactId),
    all.map(({ refuses }) => refuses),
    all.map(({ at }) => at),
  ]);
}
