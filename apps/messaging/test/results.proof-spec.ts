import { firstIdAt, newId } from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import { ResultsService } from '../src/results/results.service';
import { createStore, type StoredAccount, type TestStore } from './support/store';

const DAY_MS = 86_400_000;
const MESSAGES = 100_000;
const STEP = 1_100;
const YESTERDAY = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;

const ADD_CONTACTS = `
  INSERT INTO contacts (id, account_id, phone, phone_key)
  SELECT 'ct_' || lpad(place::text, 26, '0'), $1, (919800000000 + place)::text, (919800000000 + place)::text
  FROM generate_series(1, $2::int) AS place`;
/** One contact in ten answers. */
const ADD_MESSAGES = `
  INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, recipient, type, content, state, upstream_id,
    created_at, received_at)
  SELECT $3 || lpad(place::text, 13, '0'), $1, $2, 'ct_' || lpad((1 + place / 11 * 10 + LEAST(place % 11, 9))::text, 26, '0'), direction, '1', '2',
    CASE direction WHEN 'outbound' THEN 'template' ELSE 'text' END, '{"name":"order_update"}', CASE direction WHEN 'outbound' THEN 'delivered' ELSE 'received' END,
    'wamid.' || place, now(), now()
  FROM generate_series($4::int, $5::int) AS place, LATERAL (SELECT CASE WHEN place % 11 = 10 THEN 'inbound' ELSE 'outbound' END AS direction) AS each`;

describe('results of large accounts', () => {
  let store: TestStore;
  let account: StoredAccount;

  beforeAll(async () => {
    store = await createStore();
    account = await store.addAccount();
  });
  afterAll(() => store.drop());

  const sql = <Row = unknown>(text: string, ...params: unknown[]) => query<Row>(store.dataSource, text, params);
  const newService = () => new ResultsService(store.dataSource, new Transactions(store.dataSource));

  it('count a day with 100,000 messages, and read it meanwhile', async () => {
    const { accountId, numberId } = account;
    await sql(ADD_CONTACTS, accountId, MESSAGES + 10);
    const start = firstIdAt('msg', YESTERDAY + DAY_MS / 2).slice(0, -13);
    // In steps, because the triggers compare the messages of a statement with each other.
    for (let first = 0; first < (MESSAGES / 10) * 11; first += STEP)
      await sql(ADD_MESSAGES, accountId, numberId, start, first, first + STEP - 1);
    await sql('ANALYZE');
    const service = newService();
    const day = new Date(YESTERDAY).toISOString().slice(0, 10);
    await sql('INSERT INTO result_progress (account_id, day, due_at) VALUES ($1, $2, now())', accountId, day);
    let startedAt = performance.now();
    const early = await service.resultsOf({ accountId, by: 'template', since: day, until: day });
    process.stdout.write(
      `read of an uncounted day: ${Math.round(performance.now() - startedAt)} ms, pending ${early.pendingDays.length}\n`,
    );
    startedAt = performance.now();
    await service.computeDue();
    const milliseconds = Math.round(performance.now() - startedAt);
    const { total } = await service.resultsOf({ accountId, by: 'template', since: day, until: day });
    expect(total).toMatchObject({ sent: MESSAGES, delivered: MESSAGES, answered: MESSAGES / 10 });
    process.stdout.write(`a day with 100,000 messages and 10,000 answers: counted in ${milliseconds} ms\n`);
  }, 300_000);

  it('read 90 days with 500 groups each', async () => {
    const { accountId } = await store.addAccount();
    const accounts = [accountId, ...Array.from({ length: 10 }, () => newId('acc'))];
    const last = YESTERDAY - 30 * DAY_MS;
    const [since, until] = [last - 89 * DAY_MS, last].map((time) => new Date(time).toISOString().slice(0, 10));
    await sql(
      `INSERT INTO result_days
       SELECT account, dimension, $2::date + day, 'key_' || key, false, '', 100, 90, 80, 20, 10, 5,
         '{"UNDELIVERABLE": 3, "UPSTREAM_ERROR": 2}', '{"40": 5, "44": 5, "60": 5, "80": 5}'
       FROM unnest($1::text[]) AS account, unnest(ARRAY['template', 'job']) AS dimension, generate_series(0, 89) AS day,
         generate_series(1, 500) AS key`,
      accounts,
      since,
    );
    await sql('ANALYZE');
    const startedAt = performance.now();
    const { groups, days } = await newService().resultsOf({
      accountId,
      by: 'job',
      since: since ?? '',
      until: until ?? '',
    });
    process.stdout.write(
      `90 days with 500 groups each, of 990,000 rows: read in ${Math.round(performance.now() - startedAt)} ms\n`,
    );
    expect([groups.length, days.length, groups[0]?.responses]).toEqual([200, 90, 1_800]);
  }, 300_000);
});
