import { CONVERSATION_VIEWS, type ConversationView, firstIdAt, newId } from '@switchboard/contracts';
import { boundedCount, scanQuery } from '@switchboard/database';
import { conversationList, COUNT_VIEWS, listConversationsSql } from '../src/conversations/conversations.queries';
import { createStore, minutesAgo, type StoredAccount, type TestStore } from './support/store';

const CONVERSATIONS = 1_000_000;
const PAGE = 21;
/** Maximum total of a view, and one more to detect that there are more. */
const COUNTED = 1_001;

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

describe('views of 1,000,000 conversations', () => {
  let store: TestStore;
  let account: StoredAccount;
  const userId = newId('usr');
  const indexes: Record<ConversationView, string> = {
    unread: 'conversations_unread',
    unanswered: 'conversations_waiting',
    mine: 'conversations_assigned',
    unassigned: 'conversations_unassigned',
    all: 'conversations_newest',
    done: 'conversations_done',
  };

  beforeAll(async () => {
    store = await createStore();
    account = await store.addAccount();
    // Conversations of three accounts, without the messages, whose trigger is not under test.
    const runner = store.dataSource.createQueryRunner();
    await runner.query('ALTER TABLE conversations DISABLE TRIGGER conversations_counted');
    await runner.query(
      `INSERT INTO conversations (contact_id, account_id, last_message_id, message_count, unread_count, waiting_id, done, assignee_id, last_inbound_at)
       SELECT 'ct_' || lpad(n::text, 26, '0'), (ARRAY[$1, 'acc_2', 'acc_3'])[1 + n % 3], 'msg_' || lpad(n::text, 26, '0'), 1,
         (n % 5 = 0)::int, CASE WHEN n % 7 = 0 THEN 'msg_' || lpad((n - n % 977)::text, 20, '0') || lpad((n % 977)::text, 6, '0') END,
         n % 7 > 0 AND n % 2 = 0, CASE n % 11 WHEN 0 THEN $2 WHEN 1 THEN 'usr_other' END,
         CASE WHEN n % 3 = 1 OR n % 4 = 0 THEN now() END
       FROM generate_series(1, $3) AS n`,
      [account.accountId, userId, CONVERSATIONS],
    );
    await runner.query('ALTER TABLE conversations ENABLE TRIGGER conversations_counted');
    await runner.query('VACUUM ANALYZE conversations');
    await runner.release();
  }, 600_000);
  afterAll(() => store.drop());

  async function planOf(sql: string, params: unknown[]): Promise<{ nodes: PlanNode[]; ms: number }> {
    const [row] = await scanQuery<{ 'QUERY PLAN': [{ Plan: PlanNode; 'Execution Time': number }] }>(
      store.dataSource,
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`,
      params,
    );
    if (!row) throw new Error('no plan');
    const [{ Plan: plan, 'Execution Time': ms }] = row['QUERY PLAN'];
    return { nodes: nodesOf(plan), ms };
  }
  /** Returns the nodes that read conversations, and fails for any other access than by an index. */
  function readsOf(nodes: PlanNode[]): PlanNode[] {
    expect(nodes.filter((node) => /Seq Scan|Bitmap/.test(node['Node Type']))).toEqual([]);
    return nodes.filter((node) => node['Index Name']?.startsWith('conversations'));
  }
  const rowsOf = (nodes: PlanNode[]): number =>
    nodes.reduce(
      (sum, node) => sum + node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)),
      0,
    );
  const openSince = firstIdAt('msg', minutesAgo(1_500));
  const listOf = (view: ConversationView, after?: string, assigneeId = view === 'mine' ? userId : undefined) =>
    conversationList({ accountId: account.accountId, view, assigneeId, openSince, after });

  it.each(CONVERSATION_VIEWS)('read a page of the view %s from its index, without a sort', async (view) => {
    for (const after of [undefined, `msg_${String(CONVERSATIONS / 2).padStart(26, '0')}`]) {
      const list = listOf(view, after);
      const { nodes, ms } = await planOf(listConversationsSql(list, { offset: 0, take: PAGE }), list.params);
      const reads = readsOf(nodes);
      process.stdout.write(`page of ${view}: ${rowsOf(reads)} rows, ${ms.toFixed(1)} ms\n`);
      expect(reads.map((node) => node['Index Name'])).toEqual([indexes[view]]);
      expect(rowsOf(reads)).toBeLessThanOrEqual(PAGE + 2);
      expect(nodes.filter((node) => /Sort/.test(node['Node Type']))).toEqual([]);
    }
  });

  it.each(['all', 'done'] as const)('read a page of one user in the view %s from an index', async (view) => {
    const list = listOf(view, `msg_${String(CONVERSATIONS / 2).padStart(26, '0')}`, userId);
    const { nodes, ms } = await planOf(listConversationsSql(list, { offset: 0, take: PAGE }), list.params);
    const reads = readsOf(nodes);
    process.stdout.write(`page of ${view} of one user: ${rowsOf(reads)} rows, ${ms.toFixed(1)} ms\n`);
    expect(rowsOf(reads)).toBeLessThanOrEqual(PAGE + 2);
    expect(nodes.filter((node) => /Sort/.test(node['Node Type']))).toEqual([]);
  });

  it.each(['unread', 'unanswered'] as const)('bound the scan for one user in the view %s', async (view) => {
    const list = listOf(view, undefined, newId('usr'));
    const { nodes, ms } = await planOf(listConversationsSql(list, { offset: 0, take: PAGE }), list.params);
    const reads = readsOf(nodes);
    process.stdout.write(`page of ${view} of a user without any: ${rowsOf(reads)} rows, ${ms.toFixed(1)} ms\n`);
    expect(rowsOf(reads)).toBeLessThanOrEqual(5_002);
  });

  it('count all views with bounded index scans', async () => {
    const { nodes, ms } = await planOf(COUNT_VIEWS, [account.accountId, userId, COUNTED]);
    const reads = readsOf(nodes);
    process.stdout.write(`counts of five views: ${rowsOf(reads)} rows, ${ms.toFixed(1)} ms\n`);
    expect(rowsOf(reads)).toBeLessThanOrEqual(5 * COUNTED);
    const list = listOf('unanswered');
    expect(rowsOf(readsOf((await planOf(boundedCount(list, 1_000), list.params)).nodes))).toBeLessThanOrEqual(5_001);
  });
});
