import { boundsOf, EARLIEST_PARTITION, LATEST_PARTITION, type MessagePartition } from '../messages/message-partitions';

/** Of several replicas one looks after the partitions at a time. */
export const LOCK_MAINTENANCE = "SELECT pg_try_advisory_xact_lock(hashtext('messaging.partitions')) AS locked";

/** Sends wait while the table changes, so it must not wait for long itself: another turn comes. */
export const LIMIT_LOCK_WAIT = "SET LOCAL lock_timeout = '500ms'";

export const LIST_PARTITIONS = `
  SELECT child.relname AS name FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
  WHERE inhparent = 'messages'::regclass ORDER BY child.relname`;

/** What a row holds besides the columns that are computed. */
export const LIST_COLUMNS = `
  SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns FROM pg_attribute
  WHERE attrelid = 'messages'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`;

/** Takes the part above the last month out, so that months can be put below it. */
export const DETACH_LATEST = `ALTER TABLE messages DETACH PARTITION ${LATEST_PARTITION}`;

/** Puts it back above the given id. */
export const attachLatest = (from: string): string =>
  `ALTER TABLE messages ATTACH PARTITION ${LATEST_PARTITION} ${boundsOf({ from, to: null })}`;

/** A new month, with the rows of it that came too early; they were counted then. */
export const attachMonth = (month: MessagePartition, columns: string): string[] => [
  `CREATE TABLE ${month.name} (LIKE messages INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING CONSTRAINTS) WITH (fillfactor = 80)`,
  `WITH early AS (DELETE FROM ${LATEST_PARTITION} WHERE id < '${month.to ?? ''}' RETURNING ${columns})
   INSERT INTO ${month.name} (${columns}) SELECT ${columns} FROM early`,
  `ALTER TABLE messages ATTACH PARTITION ${month.name} ${boundsOf(month)}`,
];

export const hasRows = (partition: string): string => `SELECT EXISTS (SELECT 1 FROM ${partition}) AS used`;
/** Nothing can be stored in it from here on, until the transaction ends. */
export const closePartition = (partition: string): string => `LOCK TABLE ${partition} IN ACCESS EXCLUSIVE MODE`;

/** Drops the oldest months; the part below the first month takes over their range, so that no id is without a place. */
export const dropMonths = (months: readonly string[], to: string): string[] => [
  ...months.map((name) => `DROP TABLE ${name}`),
  `ALTER TABLE messages DETACH PARTITION ${EARLIEST_PARTITION}`,
  `ALTER TABLE messages ATTACH PARTITION ${EARLIEST_PARTITION} ${boundsOf({ from: null, to })}`,
];
