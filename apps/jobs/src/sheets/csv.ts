import { isUtf8 } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import type { SheetFormat, SheetWarning } from '@switchboard/contracts';
import { CsvError, type Options, parse } from 'csv-parse';
import { parse as parseSync } from 'csv-parse/sync';
import { type Cell, plainText } from './cell';
import { RECIPIENT_NAMES } from './header';
import { LAST_COLUMN, LAST_ROW, SHEET_FIELD, type SheetLimits } from './sheet-limits';
import { SheetRefusal, unreadable } from './sheet-refusal';
import { kept } from './text-gatherer';

const CHUNK_BYTES = 65_536;
/** Maximum row size in bytes of UTF-8. It ends the search for a missing closing quotation mark. */
const RECORD_MAX_BYTES = 1_048_576;
/** Number of bytes to search for the header. */
const HEAD_BYTES = RECORD_MAX_BYTES;
const DELIMITERS = [',', ';', '\t'] as const;
/** First line of the file that declares the delimiter for Excel. Excel does not display it. */
const DELIMITER_LINE = /^"?sep=([,;\t])"?\r?\n/i;
/** Bytes undefined in Windows-1252. */
const UNDEFINED_BYTES = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000E-\u001A\u001C-\u001F]/;

const OPTIONS = {
  // A file may mix line ends. Without a list, the parser accepts only the first one it finds.
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  trim: true,
  max_record_size: RECORD_MAX_BYTES,
} satisfies Options;

/** A CSV file and its format. */
export interface CsvText {
  bytes: Uint8Array;
  format: SheetFormat & { encoding: string; delimiter: string };
  /** Line of the file on which the rows start, counted from 1. */
  firstLine: number;
  warnings: SheetWarning[];
}

/** A row that is not blank. */
interface CsvRow {
  /** Row number from 1, as in a spreadsheet program: a line break within a field does not start a row. */
  row: number;
  cells: Cell[];
}

/**
 * Detects the encoding and the delimiter of a CSV file. With the right delimiter, the header has a
 * column of recipients.
 * @throws SheetRefusal for a file that is not text or has another encoding
 */
export function csvTextOf(bytes: Uint8Array): CsvText {
  const encoding = encodingOf(bytes);
  const head = decoded(() => withoutMarks(decoderOf(encoding).decode(bytes.subarray(0, HEAD_BYTES), { stream: true })));
  if (CONTROL_CHARACTERS.test(head.slice(0, CHUNK_BYTES))) throw unreadable('it is neither an .xlsx nor a .csv file');
  const [line = '', named] = DELIMITER_LINE.exec(head) ?? [];
  return {
    bytes,
    format: { format: 'csv', encoding, delimiter: named ?? delimiterOf(head) },
    firstLine: line === '' ? 1 : 2,
    warnings:
      encoding === 'windows-1252'
        ? [{ field: SHEET_FIELD, message: 'the file is not UTF-8 and was read as Windows-1252: check its accents' }]
        : [],
  };
}

/**
 * Reads the rows of a CSV file, except blank ones.
 * @param charactersOf maximum number of characters needed from a cell of this column; 0 for none
 * @throws SheetRefusal for a file that is malformed or exceeds a limit
 */
export async function* readCsvRows(
  { bytes, format, firstLine }: CsvText,
  { cellCharacters }: SheetLimits,
  charactersOf: (column: number) => number,
): AsyncGenerator<CsvRow> {
  const parser = parse({ ...OPTIONS, delimiter: format.delimiter, from_line: firstLine });
  // The loop below throws the errors of the pipeline.
  pipeline(Readable.from(textsOf(bytes, format.encoding)), parser, () => undefined);
  let row = 0;
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      row += 1;
      if (row > LAST_ROW) throw unreadable(`it has more than ${LAST_ROW} rows`);
      if (record.length > LAST_COLUMN) throw unreadable(`it has more than ${LAST_COLUMN} columns`);
      if (record.some((text) => text.length > cellCharacters))
        throw unreadable(`one of its cells has more than ${cellCharacters} characters`);
      if (record.every((text) => text.trim() === '')) continue;
      yield { row, cells: record.flatMap((text, index) => cellOf(text, index + 1, charactersOf(index + 1))) };
    }
  } catch (error) {
    throw error instanceof CsvError ? refusalOf(error) : error;
  }
}

function cellOf(text: string, column: number, characters: number): Cell[] {
  const raw = kept(text, characters);
  return raw === '' ? [] : [{ column, type: 't', raw, isFormula: false }];
}

function* textsOf(bytes: Uint8Array, encoding: string): Generator<string> {
  const decoder = decoderOf(encoding);
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const chunk = bytes.subarray(at, at + CHUNK_BYTES);
    const text = decoded(() => decoder.decode(chunk, { stream: at + CHUNK_BYTES < bytes.length }));
    if (CONTROL_CHARACTERS.test(text)) throw unreadable('it has control characters');
    yield at === 0 ? withoutMarks(text) : text;
  }
}

function encodingOf(bytes: Uint8Array): string {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if ((first === 0xef && second === 0xbb && third === 0xbf) || isUtf8(bytes)) return 'utf-8';
  if (bytes.some((byte) => UNDEFINED_BYTES.has(byte)))
    throw unreadable('its encoding is neither UTF-8 nor Windows-1252: save it as CSV UTF-8');
  return 'windows-1252';
}

const decoderOf = (encoding: string) => new TextDecoder(encoding, { fatal: true });

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw unreadable('its text is not in the encoding that its byte-order mark names');
  }
}

/** Some programs write a second byte-order mark. */
function withoutMarks(text: string): string {
  return text.replace(/^\uFEFF+/, '');
}

function delimiterOf(head: string): string {
  const headers = DELIMITERS.map((delimiter) => ({ delimiter, names: headerUnder(delimiter, head) }));
  const [most = { delimiter: ',' }] = headers.toSorted((one, other) => other.names.length - one.names.length);
  return (headers.find(({ names }) => names.some((name) => RECIPIENT_NAMES.includes(name))) ?? most).delimiter;
}

/** Returns the first row that is not blank. Empty if the row cannot be parsed with the delimiter. */
function headerUnder(delimiter: string, head: string): string[] {
  try {
    const [header = []] = parseSync(head, { ...OPTIONS, delimiter, to: 1, skip_records_with_empty_values: true });
    return header.map((name) => plainText(name).toLowerCase());
  } catch {
    return [];
  }
}

function refusalOf({ code, ...more }: CsvError): SheetRefusal {
  const row = `row ${Number(more['records'] ?? 0) + 1}`;
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return unreadable(`a quotation mark in ${row} is not closed`);
    case 'CSV_MAX_RECORD_SIZE':
      return unreadable(`${row} has more than 1 MB; a quotation mark in it may not be closed`);
    default:
      return unreadable(
        `${row} has a quotation mark in the wrong place: put the whole field in quotation marks, and double those within it`,
      );
  }
}
