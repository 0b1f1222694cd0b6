import type { ReportedStatus } from '@switchboard/contracts';
import fc from 'fast-check';
import { advance, OUTBOUND_STATES, type OutboundState } from '../src/messages/message-state';
import { insertOutbound } from './support/outbound-rows';
import { type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

/** Number of callbacks per run, and number of runs. */
const CALLBACKS = 2_000;
const RUNS = 5;
/** Number of statuses per callback. The gateway splits larger callbacks before it publishes them. */
const LARGE_CALLBACK = 500;

/** Records every backward step of a message, whatever causes it. */
const WATCH = [
  'CREATE TABLE regressions (id text, before text, after text)',
  `CREATE FUNCTION note_regression() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
   DECLARE ranks text[] := ARRAY[${OUTBOUND_STATES.map((state) => `'${state}'`).join(',')}];
   BEGIN
     IF array_position(ranks, NEW.state) < array_position(ranks, OLD.state) THEN INSERT INTO regressions VALUES (NEW.id, OLD.state, NEW.state); END IF;
     RETURN NULL;
   END $$`,
  'CREATE TRIGGER watched AFTER UPDATE ON messages FOR EACH ROW EXECUTE FUNCTION note_regression()',
];

/** Statuses that upstream reports about one message: a random subset of the possible ones, with repetitions. */
const story = fc.array(fc.constantFrom<ReportedStatus>('sent', 'delivered', 'read', 'failed'), {
  minLength: 1,
  maxLength: 8,
});
const storm = fc.record({
  stories: fc.array(
    fc.record({
      before: fc.constantFrom<OutboundState>('sending', 'unknown', 'accepted', 'sent'),
      story,
      echoes: fc.boolean(),
    }),
    { minLength: 500, maxLength: 500 },
  ),
  /** Number of statuses in the n-th callback. */
  sizes: fc.array(fc.constantFrom(1, 1, 1, 1, 3), { minLength: CALLBACKS, maxLength: CALLBACKS }),
  seed: fc.integer(),
});

describe('shuffled and repeated callbacks', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ replicas: 2 });
    account = await messaging.addAccount();
    for (const statement of WATCH) await messaging.dataSource.query(statement);
  });
  afterAll(() => messaging.stop());

  it('never regress or duplicate a status, and reach the final one', async () => {
    let callbacks = 0;
    await fc.assert(
      fc.asyncProperty(storm, async ({ stories, sizes, seed }) => {
        const ids = await insertOutbound(
          messaging.dataSource,
          account,
          stories.map(({ before }) => before),
        );
        const told = stories.flatMap((each, index) =>
          each.story.map((status) => ({ ...each, id: ids[index] ?? '', status })),
        );
        const [updates = []] = fc.sample(fc.shuffledSubarray(told, { minLength: told.length }), { numRuns: 1, seed });
        let next = 0;
        const parts = sizes.map((size) =>
          Array.from({ length: size }, () => updates[(next += 1) % updates.length] ?? updates[0]),
        );
        // Send the remaining statuses, so that every message reaches its final status.
        for (let first = 0; first < updates.length; first += LARGE_CALLBACK)
          parts.push(updates.slice(first, first + LARGE_CALLBACK));
        await Promise.all(
          parts.map((part) =>
            messaging.callback(account.phoneNumberId, { statuses: part.map((update) => reported(update)) }),
          ),
        );
        callbacks += parts.length;
        await messaging.settled();
        const rows = await messaging.dataSource.query<{ id: string; state: OutboundState }[]>(
          'SELECT id, state FROM messages WHERE id = ANY ($1)',
          [ids],
        );
        const states = new Map(rows.map(({ id, state }) => [id, state]));
        expect(ids.map((id) => states.get(id))).toEqual(
          stories.map(({ before, story: statuses }) => advance(before, statuses)),
        );
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    const seen = messaging.statusEvents.map(({ id, status }) => `${id} ${status}`);
    expect(callbacks).toBeGreaterThanOrEqual(10_000);
    expect(seen.length - new Set(seen).size).toBe(0);
    expect(await messaging.dataSource.query('SELECT * FROM regressions')).toEqual([]);
  }, 180_000);
});

function reported(update: { id: string; status: ReportedStatus; echoes: boolean } | undefined): object {
  const { id = '', status, echoes } = update ?? {};
  return { id: `wamid.${id}`, status, timestamp: '1790416830', ...(echoes ? { biz_opaque_callback_data: id } : {}) };
}
