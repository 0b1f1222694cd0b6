import { PLAN_ONCE } from '@switchboard/database';
import type { QueryRunner } from 'typeorm';
import { APPLY_STATUSES, LOCK_CONTACTS_OF_MESSAGES } from '../src/callbacks/statuses.queries';
import { FIND_JOB_MESSAGES, LOCK_JOB_MESSAGES, SETTLE_JOB_MESSAGES } from '../src/job-messages/job-messages.queries';
import { ACCEPT_SENDS } from '../src/messages/send.queries';
import { createStore, type StoredAccount, type TestStore } from './support/store';

const MESSAGES = 600;
const ASKED = 5;

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const literal = (value: string): string => `'${value}'`;
const list = (values: readonly string[], type = 'text'): string => `ARRAY[${values.map(literal).join(',')}]::${type}[]`;
const nulls = (type = 'text'): string => `array_fill(NULL::${type}, ARRAY[${ASKED}])`;
const each = (value: string): string[] => Array.from({ length: ASKED }, () => value);
const upstreamIds = (ids: readonly string[]): string[] => ids.map((id) => `wamid.${id}`);

/** The hot statements that look messages up, with what they are given. */
const STATEMENTS: Record<string, { sql: string; given(account: string, ids: readonly string[]): string[] }> = {
  find_job_messages: { sql: FIND_JOB_MESSAGES, given: (account, ids) => [literal(account), list(ids)] },
  lock_job_messages: { sql: LOCK_JOB_MESSAGES, given: (account, ids) => [literal(account), list(ids)] },
  settle_job_messages: {
    sql: SETTLE_JOB_MESSAGES,
    given: (account, ids) => [
      ...[literal(account), list(ids), list(upstreamIds(ids)), nulls('jsonb'), list(each('false'), 'boolean')],
    ],
  },
  accept_sends: {
    sql: ACCEPT_SENDS,
    given: (account, ids) => [list(ids), list(each(account)), list(upstreamIds(ids))],
  },
  lock_contacts_by_echo: {
    sql: LOCK_CONTACTS_OF_MESSAGES,
    given: (account, ids) => [list(each(account)), list(upstreamIds(ids)), list(ids), literal('msg_0')],
  },
  apply_statuses_by_echo: {
    sql: APPLY_STATUSES,
    given: (account, ids) => [
      ...[list(each(account)), list(upstreamIds(ids)), list(ids), list(each('delivered'))],
      ...[list(each('2026-11-26T10:00:00Z'), 'timestamptz'), nulls('jsonb'), literal('msg_0'), nulls('jsonb')],
    ],
  },
  apply_statuses_by_upstream_id: {
    sql: APPLY_STATUSES,
    given: (account, ids) => [
      ...[list(each(account)), list(upstreamIds(ids)), nulls(), list(each('read'))],
      ...[list(each('2026-11-26T10:00:00Z'), 'timestamptz'), nulls('jsonb'), literal('msg_0'), nulls('jsonb')],
    ],
  },
};

/** A month is planned for while it is empty, and its first minute passes without statistics. */
describe('in a month without statistics', () => {
  let store: TestStore;
  let account: StoredAccount;
  let connection: QueryRunner;
  let ids: string[];

  beforeAll(async () => {
    store = await createStore();
    account = await store.addAccount();
    connection = store.dataSource.createQueryRunner();
    for (const [name, { sql, given }] of Object.entries(STATEMENTS)) {
      await connection.query(`PREPARE ${name} AS ${sql}`);
      await inTransaction(`EXECUTE ${name}(${given(account.accountId, each('msg_none')).join(', ')})`);
    }
    ids = await store.addMessages(
      account,
      Array.from({ length: MESSAGES }, () => ({ with: '919800000001' })),
    );
  });
  afterAll(async () => {
    await connection.release();
    await store.drop();
  });

  async function inTransaction<Row>(sql: string): Promise<Row[]> {
    await connection.startTransaction();
    await connection.query(PLAN_ONCE);
    const { records } = await connection.query(sql, [], true);
    await connection.rollbackTransaction();
    return records as Row[];
  }

  const passedOver = ({ Plans: plans = [], ...node }: PlanNode): number =>
    (node['Relation Name']?.startsWith('messages') ? (node['Rows Removed by Filter'] ?? 0) * node['Actual Loops'] : 0) +
    plans.reduce((sum, plan) => sum + passedOver(plan), 0);

  it.each(Object.keys(STATEMENTS))('%s passes over no message that it was not asked for', async (name) => {
    const asked = ids.slice(MESSAGES / 2, MESSAGES / 2 + ASKED);
    const values = STATEMENTS[name]?.given(account.accountId, asked) ?? [];
    const found = await inTransaction<object>(`EXECUTE ${name}(${values.join(', ')})`);
    expect(found).toHaveLength(name.startsWith('lock_contacts') ? 1 : ASKED);
    const [explained] = await inTransaction<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE ${name}(${values.join(', ')})`,
    );
    expect(explained && passedOver(explained['QUERY PLAN'][0].Plan)).toBe(0);
  });
});
