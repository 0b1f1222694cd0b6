import { VARIABLE_MAX_CHARACTERS } from '../jobs/row-limits';
import { CLIENT_REF_MAX_CHARACTERS, type SheetFormat, type SheetWarning, storableText } from '@switchboard/contracts';
import { maxLength } from 'class-validator';
import { isArchive, openArchive } from './archive';
import { type Cell, type CellText, phoneOf, textOf, userIdOf } from './cell';
import { type CsvText, csvTextOf, readCsvRows } from './csv';
import { readCellStyles } from './date-styles';
import { readHeader, type SheetHeader, shownNames } from './header';
import { readSharedTexts } from './shared-texts';
import { SheetListener } from './sheet-listener';
import {
  HEADER_MAX_CHARACTERS,
  KEPT_CHARACTERS,
  LAST_COLUMN,
  SHEET_FIELD,
  SHEET_WARNINGS_MAX,
  type SheetLimits,
} from './sheet-limits';
import { SheetRefusal, unreadable } from './sheet-refusal';
import { findParts } from './workbook';
import { parseXml } from './xml-parts';

export interface SheetRow {
  /** Row number in the sheet, from 1. */
  row: number;
  /** Phone number or user id. */
  phone: string;
  /**
   * Values of the header's variables in order. Empty strings for blank cells, and an empty list if a value is too long.
   */
  values: string[];
  /** A reference that is too long is truncated to one character more than the maximum. */
  clientRef?: string;
  problem?: RowProblem;
}

/** First problem in a row's cells: its number, a variable, or the length of a text. */
export interface RowProblem {
  kind: 'phone' | 'variable' | 'length';
  message: string;
}

/** The header is the first piece. The rows follow, and the warnings are last. */
export type SheetPiece =
  | { header: SheetHeader; format: SheetFormat }
  | { rows: SheetRow[] }
  | { warnings: SheetWarning[] };

const ROWS_PER_PIECE = 500;
/**
 * Maximum number of characters per piece, to limit its rows when texts are long. A single row can have as many: 256
 * columns of 1,024.
 */
const CHARACTERS_PER_PIECE = 262_144;

/**
 * Reads a CSV file or the first visible sheet of an .xlsx file, piece by piece. Keeps only a few pieces and the shared
 * texts in memory.
 * @throws SheetRefusal for an invalid file, an exceeded limit or an unusable header; pieces returned before stay valid
 */
export async function* readSheet(bytes: Uint8Array, limits: SheetLimits): AsyncGenerator<SheetPiece> {
  yield* isArchive(bytes) ? readWorkbook(bytes, limits) : readCsv(csvTextOf(bytes), limits);
}

async function* readWorkbook(bytes: Uint8Array, limits: SheetLimits): AsyncGenerator<SheetPiece> {
  const archive = await openArchive(bytes, limits);
  const parts = await findParts(archive);
  const styles = await readCellStyles(archive, parts.styles, parts);
  const sharedTexts = await readSharedTexts(archive, parts.sharedTexts, limits);
  const gathering = new Gathering(limits, { format: 'xlsx', encoding: null, delimiter: null });
  const listener = new SheetListener({
    sharedTexts,
    styles,
    cellCharacters: limits.cellCharacters,
    charactersOf: (column) => gathering.charactersOf(column),
    onRow: (row, cells, isHidden) => gathering.take(row, cells, isHidden),
    onHiddenColumns: (first, last) => gathering.noteHiddenColumns(first, last),
  });
  const parsing = parseXml(archive.read(parts.sheet), listener);
  while (!(await parsing.next()).done) yield* gathering.ready();
  gathering.end();
  yield* gathering.ready();
  if (!gathering.hasHeader) throw unreadable('its first visible sheet is empty');
}

async function* readCsv(csv: CsvText, limits: SheetLimits): AsyncGenerator<SheetPiece> {
  const gathering = new Gathering(limits, csv.format);
  for await (const { row, cells } of readCsvRows(csv, limits, (column) => gathering.charactersOf(column))) {
    gathering.take(row, cells);
    yield* gathering.ready();
  }
  gathering.end(csv.warnings);
  yield* gathering.ready();
  if (!gathering.hasHeader) throw unreadable('it is empty');
}

/** Collects cells into rows below the header, and buffers the rows until the caller fetches them. */
class Gathering {
  private header?: SheetHeader;
  /** Columns with a meaning. Undefined before the header is read. */
  private columns?: ReadonlySet<number>;
  private pieces: SheetPiece[] = [];
  private rows: SheetRow[] = [];
  private characters = 0;
  private count = 0;
  private hiddenRows = 0;
  private readonly hiddenColumns: [first: number, last: number][] = [];
  /** Columns with a cell whose sent text differs from the displayed one, with the first such text. */
  private readonly storedColumns = new Map<string, string>();

  constructor(
    private readonly limits: SheetLimits,
    private readonly format: SheetFormat,
  ) {}

  get hasHeader(): boolean {
    return this.header !== undefined;
  }

  /**
   * Returns how many characters of a cell to read: one more than its column allows, so that a text that is too long is
   * detected.
   */
  charactersOf(column: number): number {
    if (!this.columns) return HEADER_MAX_CHARACTERS + 1;
    return this.columns.has(column) ? KEPT_CHARACTERS : 0;
  }

  noteHiddenColumns(first: number, last: number): void {
    if (this.hiddenColumns.length < LAST_COLUMN) this.hiddenColumns.push([first, last]);
  }

  take(row: number, cells: Cell[], isHidden = false): void {
    if (!this.header) {
      this.header = readHeader(cells, this.limits);
      this.columns = columnsOf(this.header);
      this.pieces.push({ header: this.header, format: this.format });
      return;
    }
    this.count += 1;
    if (isHidden) this.hiddenRows += 1;
    if (this.count > this.limits.rows)
      throw new SheetRefusal(
        `too many recipients for your plan: the sheet has more than ${this.limits.rows} rows`,
        'BULK_LIMIT_EXCEEDED',
      );
    const taken = rowOf(row, cells, this.header, this.storedColumns);
    this.rows.push(taken);
    this.characters += charactersIn(taken);
    if (this.rows.length === ROWS_PER_PIECE || this.characters >= CHARACTERS_PER_PIECE) this.endPiece();
  }

  /** Ends the last piece of rows and adds the warnings about the file and its rows. */
  end(ofFile: readonly SheetWarning[] = []): void {
    this.endPiece();
    const warnings = [...ofFile, ...this.hiddenWarnings(), ...this.storedWarnings()];
    if (warnings.length > 0) this.pieces.push({ warnings: warnings.slice(0, SHEET_WARNINGS_MAX) });
  }

  private hiddenWarnings(): SheetWarning[] {
    const { hiddenRows: rows, hiddenColumns, header } = this;
    const isHidden = (column: number): boolean =>
      hiddenColumns.some(([first, last]) => first <= column && column <= last);
    const titles = header ? titlesOf(header).filter(([column]) => isHidden(column)) : [];
    const verb = (count: number, what: string): string =>
      count === 1 ? `1 hidden ${what} is included` : `${count.toLocaleString('en')} hidden ${what}s are included`;
    return [
      ...(rows > 0 ? [{ field: SHEET_FIELD, message: verb(rows, 'row') }] : []),
      ...(titles.length > 0
        ? [
            {
              field: SHEET_FIELD,
              message: `${verb(titles.length, 'column')}: ${shownNames(titles.map(([, title]) => title))}`,
            },
          ]
        : []),
    ];
  }

  private storedWarnings(): SheetWarning[] {
    return [...this.storedColumns].map(([title, text]) => ({
      field: title,
      message: `column ${title} has a number format that is not applied: its numbers are sent as stored, for example ${text}`,
    }));
  }

  private endPiece(): void {
    if (this.rows.length > 0) this.pieces.push({ rows: this.rows });
    this.rows = [];
    this.characters = 0;
  }

  *ready(): Generator<SheetPiece> {
    yield* this.pieces.splice(0);
  }
}

function columnsOf(header: SheetHeader): ReadonlySet<number> {
  return new Set(titlesOf(header).map(([column]) => column));
}

/** Returns the columns with a meaning and their titles. */
function titlesOf({ phone, userId, clientRef, variables }: SheetHeader): [column: number, title: string][] {
  return [
    ...(phone === undefined ? [] : [[phone, 'phone'] as [number, string]]),
    ...(userId === undefined ? [] : [[userId, 'user id'] as [number, string]]),
    ...(clientRef === undefined ? [] : [[clientRef, CLIENT_REF] as [number, string]]),
    ...variables.map(({ column, title }): [number, string] => [column, title]),
  ];
}

const CLIENT_REF = 'clientRef';
const NOTHING: CellText = { text: '' };

/** @param storedColumns receives the columns whose sent text differs from the displayed one */
function rowOf(row: number, cells: readonly Cell[], header: SheetHeader, storedColumns: Map<string, string>): SheetRow {
  const byColumn = new Map(cells.map((cell) => [cell.column, cell]));
  const cellAt = (column: number | undefined): Cell | undefined =>
    column === undefined ? undefined : byColumn.get(column);
  // The phone number counts if a row has both.
  const [phoneCell, userIdCell] = [cellAt(header.phone), cellAt(header.userId)];
  const phone = phoneCell ? phoneOf(phoneCell) : userIdCell ? userIdOf(userIdCell) : NOTHING;
  const values = header.variables.map(({ title, column }) => ({ title, ...textIn(cellAt(column)) }));
  const reference = textIn(cellAt(header.clientRef));
  for (const { title, text, isAsStored } of [...values, { title: CLIENT_REF, ...reference }])
    if (isAsStored && !storedColumns.has(title)) storedColumns.set(title, text);
  const problem = problemOf({ phone, values, clientRef: reference.text });
  const clientRef = isClientRef(reference.text)
    ? reference.text
    : storableText(reference.text.slice(0, CLIENT_REF_MAX_CHARACTERS));
  const texts = problem?.kind === 'length' ? [] : values.map(({ text }) => text);
  return { row, phone: phone.text, values: texts, ...(clientRef !== '' && { clientRef }), ...(problem && { problem }) };
}

function textIn(cell: Cell | undefined): CellText {
  return cell ? textOf(cell) : NOTHING;
}

interface RowTexts {
  phone: CellText;
  values: readonly (CellText & { title: string })[];
  clientRef: string;
}

function problemOf({ phone, values, clientRef }: RowTexts): RowProblem | undefined {
  if (phone.problem !== undefined) return { kind: 'phone', message: `the cell ${phone.problem}` };
  if (phone.text === '') return { kind: 'phone', message: 'the cell is empty' };
  const bad = values.find(({ problem }) => problem !== undefined);
  if (bad?.problem !== undefined) return { kind: 'variable', message: `column ${bad.title} ${bad.problem}` };
  const long = values.find(({ text }) => text.length > VARIABLE_MAX_CHARACTERS);
  if (long)
    return { kind: 'length', message: `column ${long.title} must be at most ${VARIABLE_MAX_CHARACTERS} characters` };
  if (isClientRef(clientRef)) return undefined;
  return {
    kind: 'length',
    message: `clientRef must be shorter than or equal to ${CLIENT_REF_MAX_CHARACTERS} characters`,
  };
}

function isClientRef(text: string): boolean {
  return maxLength(text, CLIENT_REF_MAX_CHARACTERS);
}

function charactersIn({ phone, values, clientRef = '' }: SheetRow): number {
  return values.reduce((sum, value) => sum + value.length, phone.length + clientRef.length);
}
