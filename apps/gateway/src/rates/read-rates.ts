import {
  AMOUNT_PATTERN,
  AppError,
  CURRENCY_PATTERN,
  isDay,
  MAX_IMPORTED_RATES,
  RATE_CATEGORIES,
  type RateCategory,
  type RateRecord,
} from '@switchboard/contracts';
import { isMarket, unknownMarket } from '@switchboard/pricing';
import { CsvError, parse } from 'csv-parse/sync';

/** Columns of a rate card as CSV, in any order. */
export const RATE_COLUMNS = ['market', 'category', 'currency', 'amount', 'validFrom', 'source'] as const;

type Column = (typeof RATE_COLUMNS)[number];
type Line = Record<Column, string>;

const MAX_SOURCE = 200;
/** Faults listed in an error. */
const FAULTS_SHOWN = 20;

/**
 * Reads a rate card as CSV.
 * @throws AppError FILE_INVALID with all faults and their line numbers
 */
export function readRates(text: string): RateRecord[] {
  const lines = parsed(text);
  if (lines.length > MAX_IMPORTED_RATES) throw invalid(`the file has more than ${MAX_IMPORTED_RATES} rates`);
  const seen = new Map<string, number>();
  const currencies = new Map<string, number>();
  const faults = lines.flatMap(({ line, record }) => {
    const key = [record.market, record.category, record.validFrom].join('\n');
    const earlier = seen.get(key);
    if (earlier === undefined) seen.set(key, line);
    if (!currencies.has(record.currency)) currencies.set(record.currency, line);
    const fault = faultOf(record) ?? (earlier && `repeats the market, category and day of line ${earlier}`);
    return fault ? [`line ${line}: ${fault}`] : [];
  });
  const [[currency] = [], other] = [...currencies];
  if (other && faults.length === 0) faults.push(`line ${other[1]}: currency must be ${currency}, as before`);
  if (faults.length > 0) throw invalid(...faults);
  if (lines.length === 0) throw invalid('the file has no rates');
  return lines.map(({ record }) => ({ ...record, category: record.category as RateCategory }));
}

function parsed(text: string): { line: number; record: Line }[] {
  try {
    const rows = parse(text, { bom: true, trim: true, skip_empty_lines: true, info: true, columns: columnsOf });
    return (rows as unknown as { record: Line; info: { lines: number } }[]).map(({ record, info }) => ({
      line: info.lines,
      record,
    }));
  } catch (error) {
    if (error instanceof CsvError) throw invalid(error.message);
    throw error;
  }
}

/** Matches the header without regard to case. Other columns are ignored. */
function columnsOf(header: string[]): (Column | false)[] {
  const found = header.map((name) => RATE_COLUMNS.find((column) => column.toLowerCase() === name.toLowerCase()));
  const missing = RATE_COLUMNS.filter((column) => !found.includes(column));
  if (missing.length > 0) throw invalid(`line 1: no column ${missing.join(', ')}`);
  const repeated = RATE_COLUMNS.filter((column) => found.indexOf(column) !== found.lastIndexOf(column));
  if (repeated.length > 0) throw invalid(`line 1: more than one column ${repeated.join(', ')}`);
  return found.map((column) => column ?? false);
}

function faultOf({ market, category, currency, amount, validFrom, source }: Line): string | undefined {
  if (!isMarket(market)) return unknownMarket(market);
  if (!RATE_CATEGORIES.some((known) => known === category))
    return `category must be one of ${RATE_CATEGORIES.join(', ')}`;
  if (!CURRENCY_PATTERN.test(currency)) return 'currency must have three capital letters, such as USD';
  if (!AMOUNT_PATTERN.test(amount)) return 'amount must be a number such as 0.0068, with at most 8 decimals';
  if (!isDay(validFrom)) return 'validFrom must be a day such as 2026-10-01';
  if (source === '' || source.length > MAX_SOURCE) return `source must have 1 to ${MAX_SOURCE} characters`;
  return undefined;
}

function invalid(...faults: string[]): AppError {
  const shown = faults.slice(0, FAULTS_SHOWN);
  const rest = faults.length > shown.length ? [`${faults.length - shown.length} more`] : [];
  return new AppError('FILE_INVALID', {
    message: `no rate was imported: ${[...shown, ...rest].join('; ')}`,
    details: shown.map((message) => ({ field: 'file', message })),
  });
}
