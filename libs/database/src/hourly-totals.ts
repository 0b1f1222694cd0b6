import type { DataSource, QueryRunner } from 'typeorm';
import { query } from './transactions';

/**
 * Rows that are counted by account, state and the hour of their identifier, by triggers: in the statement that changes
 * them, so that no writer can forget it and a crash at any point leaves it exact. What is removed later stays counted:
 * these are the figures of that time.
 */
export interface HourlyTotals {
  /** The table that is counted: with an `id` that carries its time, an `account_id` and a `state`. */
  counted: string;
  /** Where its totals stand. */
  totals: string;
  /** Characters before the 26 of the identifier, such as 4 for `msg_`. */
  prefixLength: number;
  /** SQL: which of its rows count. */
  condition: string;
}

/** The totals of connections stand in slots of their own, so that writers side by side do not wait for each other. */
const SLOTS = 16;
/** Days that are over, in one row each. */
const FOLDED_SLOT = -1;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** The characters that hold the 48 bits of time. */
const TIME_CHARACTERS = 10;
const HOUR_MS = 3_600_000;

/** SQL that makes the tables, the triggers and what they need. From its commit on everything new is counted. */
export function createHourlyTotals({ counted, totals, prefixLength, condition }: HourlyTotals): string[] {
  const digit = (place: number): string =>
    `((strpos('${ALPHABET}', substr(id, ${prefixLength + 1 + place}, 1)) - 1)::bigint << ${5 * (TIME_CHARACTERS - 1 - place)})`;
  const milliseconds = Array.from({ length: TIME_CHARACTERS }, (_, place) => digit(place)).join(' + ');
  // As a rule all rows of a statement are of one hour: only then none but two identifiers are read.
  const hour = `CASE WHEN first_hour = last_hour THEN first_hour ELSE ${totals}_hour_of(id) END`;
  const rows = (changed: string, change: number): string =>
    `SELECT account_id, ${hour} AS hour, state, ${change} AS change FROM ${changed} WHERE id >= begins AND ${condition}`;
  const addChanges = (changes: string): string => `
    INSERT INTO ${totals} AS known (account_id, hour, state, slot, total)
    SELECT account_id, hour, state, pg_backend_pid() % ${SLOTS}, sum(change) FROM (${changes}) AS changes
    GROUP BY account_id, hour, state HAVING sum(change) <> 0 ORDER BY account_id, hour, state
    ON CONFLICT (account_id, hour, state, slot) DO UPDATE SET total = known.total + EXCLUDED.total;`;
  const countingFunction = (name: string, changed: readonly string[], changes: string): string => `
    CREATE FUNCTION ${totals}_${name}() RETURNS trigger LANGUAGE plpgsql
    SET search_path FROM CURRENT AS $$
    DECLARE begins text; first_hour timestamptz; last_hour timestamptz;
    BEGIN
      -- Most statements that insert count nothing yet.
      IF NOT (${changed.map((table) => `EXISTS (SELECT 1 FROM ${table} WHERE ${condition})`).join(' OR ')}) THEN RETURN NULL; END IF;
      SELECT id INTO begins FROM ${totals}_begin;
      SELECT ${totals}_hour_of(min(id)), ${totals}_hour_of(max(id)) INTO first_hour, last_hour FROM ${changed[0]};
      ${addChanges(changes)}
      RETURN NULL;
    END $$`;
  return [
    `CREATE TABLE ${totals} (
       account_id text COLLATE "C" NOT NULL,
       hour timestamptz NOT NULL,
       state text COLLATE "C" NOT NULL,
       slot smallint NOT NULL,
       total bigint NOT NULL,
       PRIMARY KEY (account_id, hour, state, slot)
     ) WITH (fillfactor = 70)`,
    `CREATE INDEX ${totals}_age ON ${totals} (hour)`,
    `CREATE INDEX ${totals}_unfolded ON ${totals} (hour) WHERE slot >= 0`,
    // Rows with a lesser identifier count no more, or not yet: see countEarlier.
    `CREATE TABLE ${totals}_begin (only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), id text COLLATE "C" NOT NULL)`,
    `CREATE FUNCTION ${totals}_hour_of(id text) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
     RETURN to_timestamp((((${milliseconds}) / ${HOUR_MS}) * ${HOUR_MS / 1_000})::float8)`,
    countingFunction('added', ['added'], rows('added', 1)),
    // Without a join of both: a plan made for one row would compare thousands with thousands.
    countingFunction('changed', ['after', 'before'], `${rows('after', 1)} UNION ALL ${rows('before', -1)}`),
    `CREATE TRIGGER ${totals}_added AFTER INSERT ON ${counted} REFERENCING NEW TABLE AS added
     FOR EACH STATEMENT EXECUTE FUNCTION ${totals}_added()`,
    `CREATE TRIGGER ${totals}_changed AFTER UPDATE ON ${counted} REFERENCING OLD TABLE AS before NEW TABLE AS after
     FOR EACH STATEMENT EXECUTE FUNCTION ${totals}_changed()`,
    // Behind the triggers, which let no writer in until this commits.
    `INSERT INTO ${totals}_begin (id) SELECT coalesce(max(id) || '~', '') FROM ${counted}`,
  ];
}

/** What one step of counting goes back over. */
export interface EarlierSpan {
  /** The least identifier of the oldest time that is counted. */
  floor: string;
  /** @returns the least identifier of the step that ends with the row of this one */
  beginOf(id: string): string;
}

/**
 * Counts what was there before the triggers, from the newest back to the floor. A step takes a short span of time and
 * lets no writer in meanwhile; the next one begins when others have had their turn. Broken off, it goes on from there.
 */
export async function countEarlier(
  runner: QueryRunner,
  { counted, totals, condition }: HourlyTotals,
  { floor, beginOf }: EarlierSpan,
): Promise<void> {
  for (let isDone = false; !isDone; ) {
    await runner.startTransaction();
    try {
      await runner.query(`LOCK TABLE ${counted} IN SHARE ROW EXCLUSIVE MODE`);
      const [last] = (await runner.query(
        `SELECT max(id) AS id FROM ${counted} WHERE id >= $1 AND id < (SELECT id FROM ${totals}_begin)`,
        [floor],
      )) as { id: string | null }[];
      isDone = !last?.id;
      const begin = last?.id ? [floor, beginOf(last.id)].toSorted().at(-1) : floor;
      await runner.query(
        `INSERT INTO ${totals} AS known (account_id, hour, state, slot, total)
         SELECT account_id, ${totals}_hour_of(id), state, 0, count(*) FROM ${counted}
         WHERE id >= $1 AND id < (SELECT id FROM ${totals}_begin) AND ${condition} GROUP BY 1, 2, 3
         ON CONFLICT (account_id, hour, state, slot) DO UPDATE SET total = known.total + EXCLUDED.total`,
        [begin],
      );
      await runner.query(`UPDATE ${totals}_begin SET id = least(id, $1)`, [begin]);
      await runner.commitTransaction();
    } catch (error) {
      await runner.rollbackTransaction();
      throw error;
    }
  }
}

/** Hours are told apart so long. */
const HOURS_KEPT = 72;
const DAYS_KEPT = 400;
const STEP_ROWS = 5_000;

/**
 * Makes one row per day and state of hours that nobody asks for any more, and lets go of what is older than all
 * figures. Any number of processes may.
 * @returns whether there may be more to do
 */
export async function foldHourlyTotals(dataSource: DataSource, { totals }: HourlyTotals): Promise<boolean> {
  const folded = await query(
    dataSource,
    `WITH old AS (
       SELECT ctid FROM ${totals} WHERE hour < date_trunc('day', now() - make_interval(hours => $1), 'UTC') AND slot >= 0
       ORDER BY hour LIMIT $2 FOR UPDATE SKIP LOCKED
     ), gone AS (
       DELETE FROM ${totals} USING old WHERE ${totals}.ctid = old.ctid RETURNING account_id, hour, state, total
     ), stored AS (
       INSERT INTO ${totals} AS known (account_id, hour, state, slot, total)
       SELECT account_id, date_trunc('day', hour, 'UTC'), state, ${FOLDED_SLOT}, sum(total) FROM gone
       GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
       ON CONFLICT (account_id, hour, state, slot) DO UPDATE SET total = known.total + EXCLUDED.total
     )
     SELECT 1 FROM gone`,
    [HOURS_KEPT, STEP_ROWS],
  );
  const gone = await query(
    dataSource,
    `DELETE FROM ${totals} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${totals} WHERE hour < now() - make_interval(days => $1)
       ORDER BY hour LIMIT $2)) RETURNING 1 AS gone`,
    [DAYS_KEPT, STEP_ROWS],
  );
  return folded.length === STEP_ROWS || gone.length === STEP_ROWS;
}

/** Which figures: so many hours or days up to now, days in UTC. */
export interface FigureSpan {
  accountId: string;
  unit: 'hour' | 'day';
  count: number;
}

/**
 * The totals of an account, by hour or day, the oldest first; those in which there is nothing are left out. What it
 * costs does not depend on how many rows there were.
 * @param none zero for each state
 */
export async function figuresOf<States extends object>(
  dataSource: DataSource,
  { totals, none }: Pick<HourlyTotals, 'totals'> & { none: States },
  { accountId, unit, count }: FigureSpan,
): Promise<(States & { at: string })[]> {
  const rows = await query<{ at: Date; states: Partial<States> }>(
    dataSource,
    `SELECT at, json_object_agg(state, total) AS states FROM (
       SELECT date_trunc($2, hour, 'UTC') AS at, state, sum(total)::float8 AS total FROM ${totals}
       WHERE account_id = $1 AND hour >= date_trunc($2, now(), 'UTC') - $3::int * ('1 ' || $2)::interval
       GROUP BY 1, 2 HAVING sum(total) <> 0
     ) AS counted GROUP BY at ORDER BY at`,
    [accountId, unit, count - 1],
  );
  return rows.map(({ at, states }) => ({ ...none, ...states, at: at.toISOString() }));
}
