import { encodeCursor } from '@switchboard/database';
import 'reflect-metadata';
import { ContactsService } from '../apps/messaging/src/contacts/contacts.service';
import { ConversationsService } from '../apps/messaging/src/conversations/conversations.service';
import { MessagesService } from '../apps/messaging/src/messages/messages.service';
import { phoneOf, RARE_NAME, seedAccount, type SeededAccount } from './reads-seed';
import { figureOf, type SizeFigure } from './harness/figures';
import { inForm } from './harness/form';
import type { BenchOptions } from './harness/options';

const SIZES = [10_000, inForm(1_000_000, 100_000)] as const;
const LIMIT = 20;
/** Relative position of the deep page: page 10,000 of a million messages, and the same share of the small list. */
const DEEP_SHARE = 0.2;
const ROUNDS = inForm(5, 3);
const READS_PER_ROUND = inForm(100, 40);
const WARM_UP_READS = 30;

export const about = {
  measures: `lists of an account with ${SIZES[1].toLocaleString('en')} messages`,
  floor: `the same with ${SIZES[0].toLocaleString('en')} messages; ratios are of p99`,
};

type Read = () => Promise<{ total: number }>;

/**
 * Measures list reads with 10,000 and with 1,000,000 messages, in interleaved rounds. Calls the service directly,
 * because broker and gateway add the same cost at any size and would only hide a difference.
 */
export default async function measure({ databaseUrl, log }: BenchOptions): Promise<SizeFigure[]> {
  const accounts: SeededAccount[] = [];
  try {
    for (const size of SIZES) {
      const beganAt = performance.now();
      accounts.push(await seedAccount(databaseUrl, size));
      log(`seeded ${size} messages in ${Math.round((performance.now() - beganAt) / 1_000)} s`);
    }
    const reads = await Promise.all(accounts.map(readsOf));
    const names = Object.keys(reads[0] ?? {});
    const times = new Map(names.map((name) => [name, accounts.map((): number[] => [])]));
    for (const name of names) for (const own of reads) await repeat(own[name] as Read, WARM_UP_READS);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const name of names)
        for (const [index, own] of reads.entries())
          times.get(name)?.[index]?.push(...(await repeat(own[name] as Read, READS_PER_ROUND)));
    }
    return [...times].map(([name, [small = [], large = []]]) => figureOf(name, small, large));
  } finally {
    for (const account of accounts) await account.drop();
  }
}

async function readsOf({
  dataSource,
  accountId,
  messages: count,
  people,
}: SeededAccount): Promise<Record<string, Read>> {
  const messages = new MessagesService(dataSource);
  const contacts = new ContactsService(dataSource);
  const conversations = new ConversationsService(dataSource);
  const page = { accountId, page: 1, limit: LIMIT };
  /** Returns the cursor of a page far down the list without reading the pages before. */
  const deep = async (table: string, column: string, length: number): Promise<string> => {
    const sql = `SELECT ${column} AS id FROM ${table} WHERE account_id = $1 ORDER BY ${column} DESC OFFSET $2 LIMIT 1`;
    const [row] = await dataSource.query<{ id: string }[]>(sql, [accountId, Math.round(length * DEEP_SHARE) - 1]);
    return encodeCursor(row?.id ?? '');
  };
  const deepMessage = await deep('messages', 'id', count);
  const deepContact = await deep('contacts', 'id', people);
  const deepConversation = await deep('conversations', 'last_message_id', people);
  const phone = phoneOf(7);
  return {
    'messages: first page and total': () => messages.listMessages(page),
    'messages: deep by cursor and total': () => messages.listMessages({ ...page, cursor: deepMessage }),
    'messages: failed (one in a hundred)': () => messages.listMessages({ ...page, status: 'failed' }),
    'messages: with one person': () => messages.listConversationMessages({ ...page, phone }),
    'conversations: first page and total': () => conversations.listConversations(page),
    'conversations: deep by cursor and total': () =>
      conversations.listConversations({ ...page, cursor: deepConversation }),
    'contacts: first page and total': () => contacts.listContacts(page),
    'contacts: deep by cursor and total': () => contacts.listContacts({ ...page, cursor: deepContact }),
    'search: a rare name': () => contacts.listContacts({ ...page, search: RARE_NAME.slice(1, 7) }),
    'search: a whole number': () => contacts.listContacts({ ...page, search: phone }),
    'search: a common name (one in ten)': () => contacts.listContacts({ ...page, search: 'asha' }),
  };
}

async function repeat(read: Read, times: number): Promise<number[]> {
  const durations: number[] = [];
  for (let each = 0; each < times; each += 1) {
    const beganAt = performance.now();
    await read();
    durations.push(performance.now() - beganAt);
  }
  return durations;
}
