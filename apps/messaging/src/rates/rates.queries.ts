import { batchOf, columnsOf } from '@switchboard/database';
import { Rate } from './rate.entity';

const DAY = `to_char(valid_from, 'YYYY-MM-DD')`;
const COLUMNS = `market, category, currency, amount::text AS amount, ${DAY} AS "validFrom", source`;

/** All rates, by market, category and first day. */
export const LIST_RATES = `SELECT ${COLUMNS} FROM rates ORDER BY market, category, valid_from`;

/** The rates in force on a day. $1 day */
export const LIST_RATES_ON = `
  SELECT DISTINCT ON (market, category) ${COLUMNS} FROM rates WHERE valid_from <= $1::date
  ORDER BY market, category, valid_from DESC`;

export const COUNT_RATES = 'SELECT count(*)::int AS total FROM rates';

/** Waits for a concurrent import, because all rates must have the same currency. Reads continue. */
export const LOCK_RATES = 'LOCK TABLE rates IN SHARE ROW EXCLUSIVE MODE';

export const FIND_CURRENCY = 'SELECT currency FROM rates LIMIT 1';

export const IMPORTED = batchOf(columnsOf(Rate, ['market', 'category', 'validFrom', 'currency', 'amount', 'source']));

/** Deletes the rates that are not among the imported ones. `IMPORTED` */
export const DELETE_OTHER_RATES = `
  DELETE FROM rates WHERE NOT EXISTS (
    SELECT 1 FROM ${IMPORTED.unnest('given')}
    WHERE given.market = rates.market AND given.category = rates.category AND given.valid_from = rates.valid_from
  ) RETURNING 1 AS removed`;

/** Inserts the rates and changes those that differ; the others have no row in the result. `IMPORTED` */
export const UPSERT_RATES = `
  INSERT INTO rates AS known (${IMPORTED.names})
  SELECT ${IMPORTED.names} FROM ${IMPORTED.unnest('given')}
  ON CONFLICT (market, category, valid_from) DO UPDATE
  SET currency = EXCLUDED.currency, amount = EXCLUDED.amount, source = EXCLUDED.source, updated_at = now()
  WHERE (known.currency, known.amount, known.source) IS DISTINCT FROM (EXCLUDED.currency, EXCLUDED.amount, EXCLUDED.source)
  RETURNING (xmax = 0) AS "isNew"`;
