import { labelsOf } from '@switchboard/contracts';
import { type BatchRow, type Param, GENERIC_PLAN } from '@switchboard/database';
import { type PlanNode, planNodes, rowsPassedOver } from '@switchboard/testing';
import type { QueryRunner } from 'typeorm';
import { APPLY_STATUSES, LOCK_CONTACTS_OF_MESSAGES, REPORTED, STATUSES } from '../src/callbacks/statuses.queries';
import {
  FIND_JOB_MESSAGES,
  LOCK_JOB_MESSAGES,
  OUTCOMES,
  SETTLE_JOB_MESSAGES,
} from '../src/job-messages/job-messages.queries';
import { FIND_PERSON } from '../src/contacts/contact-list.queries';
import { FIND_CONVERSATION } from '../src/messages/messages.queries';
import { ACCEPT_SENDS, ACCEPTED_SENDS, BEGIN_SENDS, SENDS } from '../src/sends/send.queries';
import { createStore, type StoredAccount, type TestStore } from './support/store';

const MESSAGES = 600;
const ASKED = 5;
const FIRST_PHONE = 919_800_000_000;

const PHONES = Array.from({ length: ASKED }, (_unused, index) => String(FIRST_PHONE + 300 + index));

const literal = (value: string): string => `'${value}'`;
const list = (values: readonly string[]): string => `ARRAY[${values.map(literal).join(',')}]::text[]`;
/** Literals, because the server derives the type of a list from the statement. */
const literals = (lists: readonly Param[]): string[] =>
  lists.map((values) => literal(`{${(values as Param[]).map(elementOf).join(',')}}`));
const elementOf = (value: Param): string => (value === null ? 'NULL' : JSON.stringify(String(value)));
const each = (value: string): string[] => Array.from({ length: ASKED }, () => value);
const statuses = (accountId: string, ids: readonly string[]): BatchRow<typeof STATUSES>[] =>
  ids.map((id) => ({
    accountId,
    upstreamId: `wamid.${id}`,
    echoedId: id,
    status: 'delivered',
    at: '2026-11-26T10:00:00Z',
    error: null,
    pricing: null,
  }));

/** Frequent statements that look up messages, with their parameters. */
const STATEMENTS: Record<string, { sql: string; given(account: string, ids: readonly string[]): string[] }> = {
  find_job_messages: { sql: FIND_JOB_MESSAGES, given: (account, ids) => [literal(account), list(ids)] },
  lock_job_messages: { sql: LOCK_JOB_MESSAGES, given: (account, ids) => [literal(account), list(ids)] },
  settle_job_messages: {
    sql: SETTLE_JOB_MESSAGES,
    given: (account, ids) => {
      const outcomes = ids.map((id) => ({ id, upstreamId: `wamid.${id}`, error: null, wasReceived: false }));
      return [literal(account), ...literals(OUTCOMES.parameters(outcomes))];
    },
  },
  begin_sends: {
    sql: BEGIN_SENDS,
    given: (account, ids) =>
      literals(
        SENDS.parameters(
          ids.map((id, index): BatchRow<typeof SENDS> => {
            const phone = PHONES[index] ?? '';
            return {
              id: `${id}x`,
              accountId: account,
              recipient: phone,
              type: 'template',
              content: {},
              ...labelsOf({}),
              caption: null,
              mediaId: null,
              upload: null,
              jobId: null,
              senderId: null,
              repeatable: true,
              sealedContent: null,
              reference: null,
              sendTrace: null,
              wanted: null,
              phoneKey: phone,
              userId: null,
              newContactId: phone,
              isMarketing: false,
              isReserved: null,
            };
          }),
        ),
      ),
  },
  accept_sends: {
    sql: ACCEPT_SENDS,
    given: (account, ids) => {
      const sends = ids.map((id) => ({ id, accountId: account, upstreamId: `wamid.${id}` }));
      return literals(ACCEPTED_SENDS.parameters(sends));
    },
  },
  lock_contacts_by_echo: {
    sql: LOCK_CONTACTS_OF_MESSAGES,
    given: (account, ids) => [...literals(REPORTED.parameters(statuses(account, ids))), literal('msg_0')],
  },
  apply_statuses_by_echo: {
    sql: APPLY_STATUSES,
    given: (account, ids) => [...literals(STATUSES.parameters(statuses(account, ids))), literal('msg_0')],
  },
  apply_statuses_by_upstream_id: {
    sql: APPLY_STATUSES,
    given: (account, ids) => {
      const unechoed = statuses(account, ids).map((status) => ({ ...status, echoedId: null, status: 'read' }));
      return [...literals(STATUSES.parameters(unechoed)), literal('msg_0')];
    },
  },
};

/** Statements are planned while a month is empty, and the server has no statistics during its first minute. */
describe.each([
  ['without statistics', false],
  ['with statistics from when it was empty', true],
])('statements in a month %s', (_which, isAnalyzed) => {
  let store: TestStore;
  let account: StoredAccount;
  let connection: QueryRunner;
  let ids: string[];

  beforeAll(async () => {
    store = await createStore();
    account = await store.addAccount();
    connection = store.dataSource.createQueryRunner();
    if (isAnalyzed) await connection.query('ANALYZE');
    for (const [name, { sql, given }] of Object.entries(STATEMENTS)) {
      await connection.query(`PREPARE ${name} AS ${sql}`);
      await inTransaction(() => execute(name, given(account.accountId, each('msg_none'))));
    }
    ids = await store.addMessages(
      account,
      Array.from({ length: MESSAGES }, (_unused, index) => ({ with: String(FIRST_PHONE + index) })),
    );
  });
  afterAll(async () => {
    await connection.release();
    await store.drop();
  });

  async function inTransaction<T>(work: () => Promise<T>): Promise<T> {
    await connection.startTransaction();
    await connection.query(GENERIC_PLAN);
    const result = await work();
    await connection.rollbackTransaction();
    return result;
  }

  const execute = async (name: string, values: readonly string[]): Promise<unknown[]> =>
    (await connection.query(`EXECUTE ${name}(${values.join(', ')})`, [], true)).records as unknown[];
  const query = (text: string, params: unknown[] = []): Promise<unknown> => connection.query(text, params);
  const isPeopleOrMessages = (node: PlanNode): boolean => /^(messages|contacts)/.test(node['Relation Name'] ?? '');
  const passedOver = (nodes: PlanNode[]): number =>
    nodes.filter(isPeopleOrMessages).reduce((sum, node) => sum + rowsPassedOver(node), 0);

  it.each(Object.keys(STATEMENTS))('statement %s scans no unrelated messages', async (name) => {
    const asked = ids.slice(MESSAGES / 2, MESSAGES / 2 + ASKED);
    const values = STATEMENTS[name]?.given(account.accountId, asked) ?? [];
    const found = await inTransaction(() => execute(name, values));
    expect(found).toHaveLength(ASKED);
    const nodes = await inTransaction(() => planNodes(query, `EXECUTE ${name}(${values.join(', ')})`));
    expect(passedOver(nodes)).toBe(0);
  });

  it.each([
    ['a contact', FIND_PERSON, [null]],
    ['a conversation', FIND_CONVERSATION, []],
  ])('finds %s without scanning contacts twice', async (_what, text, more) => {
    const given = [account.accountId, String(FIRST_PHONE + ASKED), null, ...more];
    expect(await query(text, given)).toHaveLength(1);
    expect(passedOver(await planNodes(query, text, given))).toBeLessThanOrEqual(MESSAGES);
  });
});
