import type { IdPrefix } from '@switchboard/contracts';
import type { DataSource, QueryRunner } from 'typeorm';
import { query } from './transactions';
import { withLockRetry } from './with-lock-retry';

/**
 * Row counts per account, hour of creation and further dimensions such as the state. Triggers update them in the
 * statement that changes the rows, so no writer can forget them and they stay exact after a crash. Deleted rows remain
 * counted, because the totals describe the hour of creation.
 */
export interface HourlyTotals {
  /** Counted table, with an `id` that contains its time and an `account_id`. */
  counted: string;
  /** Dimensions by their column name in the totals. Each is an SQL expression of type text that is never null. */
  by: Readonly<Record<string, string>>;
  totals: string;
  prefix: IdPrefix;
  condition: string;
}

/**
 * Number of rows that hold one total. Connections write to different ones, so that concurrent writers do not wait for
 * each other.
 */
const SLOTS = 16;
/** Slot of past days, each folded into one row. */
const FOLDED_SLOT = -1;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** Number of id characters that encode the 48 bits of time. */
const TIME_CHARACTERS = 10;
const HOUR_MS = 3_600_000;

/**
 * Creates the tables, triggers and functions in the transaction of a migration. Rows inserted after its commit are
 * counted.
 */
export async function createHourlyTotals(runner: QueryRunner, totals: HourlyTotals): Promise<void> {
  for (const sql of tablesAndFunctions(totals)) await runner.query(sql);
  await withLockRetry(runner, triggers(totals));
}

/** Returns the SQL of the dimensions: their names, their values in a row, and their column definitions. */
function wordsOf({ by }: HourlyTotals): { names: string; values: string; columns: string } {
  const names = Object.keys(by);
  return {
    names: names.join(', '),
    values: names.map((name) => (by[name] === name ? name : `${by[name]} AS ${name}`)).join(', '),
    columns: names.map((name) => `${name} text COLLATE "C" NOT NULL,`).join('\n       '),
  };
}

function tablesAndFunctions(of: HourlyTotals): string[] {
  const { totals, prefix } = of;
  const { names, columns } = wordsOf(of);
  const digit = (place: number): string =>
    `((strpos('${ALPHABET}', substr(id, ${prefix.length + 2 + place}, 1)) - 1)::bigint << ${5 * (TIME_CHARACTERS - 1 - place)})`;
  const milliseconds = Array.from({ length: TIME_CHARACTERS }, (_, place) => digit(place)).join(' + ');
  return [
    `CREATE TABLE ${totals} (
       account_id text COLLATE "C" NOT NULL,
       hour timestamptz NOT NULL,
       ${columns}
       slot smallint NOT NULL,
       total bigint NOT NULL,
       PRIMARY KEY (account_id, hour, ${names}, slot)
     ) WITH (fillfactor = 70)`,
    `CREATE INDEX ${totals}_age ON ${totals} (hour)`,
    `CREATE INDEX ${totals}_unfolded ON ${totals} (hour) WHERE slot >= 0`,
    // Unused: held the progress of a migration of 0.2.0 for rows older than the triggers.
    `CREATE TABLE ${totals}_earlier (only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), below text COLLATE "C" NOT NULL)`,
    `INSERT INTO ${totals}_earlier (below) VALUES ('${prefix}_~')`,
    `CREATE FUNCTION ${totals}_hour_of(id text) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
     RETURN to_timestamp((((${milliseconds}) / ${HOUR_MS}) * ${HOUR_MS / 1_000})::float8)`,
    ...countingFunctions(of),
  ];
}

function countingFunctions(of: HourlyTotals): string[] {
  const { totals, condition } = of;
  const { names, values } = wordsOf(of);
  // Usually all rows of a statement are from the same hour, and only two ids need decoding.
  const hour = `CASE WHEN first_hour = last_hour THEN first_hour ELSE ${totals}_hour_of(id) END`;
  const rows = (changed: string, change: number): string =>
    `SELECT account_id, ${hour} AS hour, ${values}, ${change} AS change FROM ${changed} WHERE ${condition}`;
  const addChanges = (changes: string): string => `
    INSERT INTO ${totals} AS known (account_id, hour, ${names}, slot, total)
    SELECT account_id, hour, ${names}, pg_backend_pid() % ${SLOTS}, sum(change) FROM (${changes}) AS changes
    GROUP BY account_id, hour, ${names} HAVING sum(change) <> 0 ORDER BY account_id, hour, ${names}
    ON CONFLICT (account_id, hour, ${names}, slot) DO UPDATE SET total = known.total + EXCLUDED.total;`;
  const countingFunction = (name: string, changed: readonly string[], changes: string): string => `
    CREATE OR REPLACE FUNCTION ${totals}_${name}() RETURNS trigger LANGUAGE plpgsql
    SET search_path FROM CURRENT AS $$
    DECLARE first_hour timestamptz; last_hour timestamptz;
    BEGIN
      -- Most statements that insert count nothing yet.
      IF NOT (${changed.map((table) => `EXISTS (SELECT 1 FROM ${table} WHERE ${condition})`).join(' OR ')}) THEN RETURN NULL; END IF;
      SELECT ${totals}_hour_of(min(id)), ${totals}_hour_of(max(id)) INTO first_hour, last_hour FROM ${changed[0]};
      ${addChanges(changes)}
      RETURN NULL;
    END $$`;
  return [
    countingFunction('added', ['added'], rows('added', 1)),
    // Do not join the two tables: a plan made for one row would compare thousands with thousands.
    countingFunction('changed', ['after', 'before'], `${rows('after', 1)} UNION ALL ${rows('before', -1)}`),
  ];
}

/** Created last, while no transaction writes, so that every later write is counted. */
const triggers = ({ counted, totals }: HourlyTotals): string[] => [
  `CREATE TRIGGER ${totals}_added AFTER INSERT ON ${counted} REFERENCING NEW TABLE AS added
   FOR EACH STATEMENT EXECUTE FUNCTION ${totals}_added()`,
  `CREATE TRIGGER ${totals}_changed AFTER UPDATE ON ${counted} REFERENCING OLD TABLE AS before NEW TABLE AS after
   FOR EACH STATEMENT EXECUTE FUNCTION ${totals}_changed()`,
];

/** In hours, because a day in a session's time zone may be an hour longer or shorter than in UTC. */
const HOURS_OF = { hour: 1, day: 24 };
const HOURS_KEPT = 72;
const DAYS_KEPT = 400;
const STEP_ROWS = 5_000;

/**
 * Folds old hours into one row per day and dimension values, and deletes expired totals. Safe to run in several
 * processes.
 * @returns whether more rows may remain
 */
export async function foldHourlyTotals(dataSource: DataSource, of: HourlyTotals): Promise<boolean> {
  const { totals } = of;
  const { names } = wordsOf(of);
  const key = Object.keys(of.by).map((_name, index) => index + 3);
  const folded = await query(
    dataSource,
    `WITH old AS (
       SELECT ctid FROM ${totals} WHERE hour < date_trunc('day', now() - make_interval(hours => $1), 'UTC') AND slot >= 0
       ORDER BY hour LIMIT $2 FOR UPDATE SKIP LOCKED
     ), gone AS (
       DELETE FROM ${totals} USING old WHERE ${totals}.ctid = old.ctid RETURNING account_id, hour, ${names}, total
     ), stored AS (
       INSERT INTO ${totals} AS known (account_id, hour, ${names}, slot, total)
       SELECT account_id, date_trunc('day', hour, 'UTC'), ${names}, ${FOLDED_SLOT}, sum(total) FROM gone
       GROUP BY 1, 2, ${key.join(', ')} ORDER BY 1, 2, ${key.join(', ')}
       ON CONFLICT (account_id, hour, ${names}, slot) DO UPDATE SET total = known.total + EXCLUDED.total
     )
     SELECT 1 FROM gone`,
    [HOURS_KEPT, STEP_ROWS],
  );
  const gone = await query(
    dataSource,
    `DELETE FROM ${totals} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${totals} WHERE hour < now() - make_interval(hours => $1)
       ORDER BY hour LIMIT $2)) RETURNING 1 AS gone`,
    [DAYS_KEPT * HOURS_OF.day, STEP_ROWS],
  );
  return folded.length === STEP_ROWS || gone.length === STEP_ROWS;
}

/** Time range of totals: a number of hours or days up to now, with days in UTC. */
export interface FigureSpan {
  accountId: string;
  unit: 'hour' | 'day';
  count: number;
}

/** SQL of the start of a range. $2 is the unit and $3 the number of hours. */
const SINCE = "date_trunc($2, now(), 'UTC') - make_interval(hours => $3)";

/** Returns the totals of an account, one for each hour or day and combination of dimension values, oldest first. */
export function totalsOf<Word extends string>(
  dataSource: DataSource,
  of: Omit<HourlyTotals, 'by'> & { by: Readonly<Record<Word, string>> },
  { accountId, unit, count }: FigureSpan,
): Promise<(Record<Word, string> & { at: Date; total: number })[]> {
  const { names } = wordsOf(of);
  return query(
    dataSource,
    `SELECT date_trunc($2, hour, 'UTC') AS at, ${names}, sum(total)::float8 AS total FROM ${of.totals}
     WHERE account_id = $1 AND hour >= ${SINCE}
     GROUP BY at, ${names} HAVING sum(total) <> 0 ORDER BY at, ${names}`,
    [accountId, unit, (count - 1) * HOURS_OF[unit]],
  );
}

/**
 * Returns the totals of an account by hour or day, oldest first, with all states in one entry. Empty periods are
 * omitted. The cost does not depend on the number of counted rows.
 * @param none zero for each state
 */
export async function statisticsOf<States extends object>(
  dataSource: DataSource,
  { totals, none }: Pick<HourlyTotals, 'totals'> & { none: States },
  { accountId, unit, count }: FigureSpan,
): Promise<(States & { at: string })[]> {
  const rows = await query<{ at: Date; states: Partial<States> }>(
    dataSource,
    `SELECT at, json_object_agg(state, total) AS states FROM (
       SELECT date_trunc($2, hour, 'UTC') AS at, state, sum(total)::float8 AS total FROM ${totals}
       WHERE account_id = $1 AND hour >= ${SINCE}
       GROUP BY 1, 2 HAVING sum(total) <> 0
     ) AS counted GROUP BY at ORDER BY at`,
    [accountId, unit, (count - 1) * HOURS_OF[unit]],
  );
  return rows.map(({ at, states }) => ({ ...none, ...states, at: at.toISOString() }));
}
