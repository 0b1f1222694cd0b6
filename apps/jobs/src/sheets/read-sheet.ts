import { CLIENT_REF_MAX_CHARACTERS, VARIABLE_MAX_CHARACTERS } from '../jobs/row-limits';
import { openArchive } from './archive';
import { type Cell, type CellText, phoneOf, textOf } from './cell';
import { readDateStyles } from './date-styles';
import { readHeader, type SheetHeader } from './header';
import { readSharedTexts } from './shared-texts';
import { SheetListener } from './sheet-listener';
import { HEADER_MAX_CHARACTERS, KEPT_CHARACTERS, type SheetLimits } from './sheet-limits';
import { SheetRefusal, unreadable } from './sheet-refusal';
import { findParts } from './workbook';
import { parseXml } from './xml-parts';

/** A row of the sheet that is not blank. */
export interface SheetRow {
  /** Its number in the sheet, from 1. */
  row: number;
  phone: string;
  /** Of the header's variables, in their order; empty where nothing stands. None when one of them is too long. */
  values: string[];
  /** At most one character longer than it may be. */
  clientRef?: string;
  problem?: RowProblem;
}

/** The first thing that is wrong with a row's cells: with its number, a variable, or the length of a text. */
export interface RowProblem {
  kind: 'phone' | 'variable' | 'length';
  message: string;
}

/** First the header, alone; then the rows. */
export type SheetPiece = { header: SheetHeader } | { rows: SheetRow[] };

const ROWS_PER_PIECE = 500;
/** Rows with long texts come fewer at a time. A row has at most as many: 256 columns of 1,024. */
const CHARACTERS_PER_PIECE = 262_144;

/**
 * Reads the first visible sheet of an .xlsx file, piece by piece, and never holds more of it than some pieces and the
 * shared texts.
 * @throws SheetRefusal for what is no such file, breaks a limit or has no usable header; rows that came before stay
 * given
 */
export async function* readSheet(bytes: Uint8Array, limits: SheetLimits): AsyncGenerator<SheetPiece> {
  const archive = await openArchive(bytes, limits);
  const parts = await findParts(archive);
  const dateStyles = await readDateStyles(archive, parts.styles, parts);
  const sharedTexts = await readSharedTexts(archive, parts.sharedTexts, limits);
  const gathering = new Gathering(limits);
  const listener = new SheetListener({
    ...{ sharedTexts, dateStyles, cellCharacters: limits.cellCharacters },
    charactersOf: (column) => gathering.charactersOf(column),
    onRow: (row, cells) => gathering.take(row, cells),
  });
  const parsing = parseXml(archive.read(parts.sheet), listener);
  while (!(await parsing.next()).done) yield* gathering.ready();
  gathering.endPiece();
  yield* gathering.ready();
  if (!gathering.hasHeader) throw unreadable('its first visible sheet is empty');
}

/** Turns cells into rows under the header, and keeps them until somebody takes them. */
class Gathering {
  private header?: SheetHeader;
  /** Those that mean something; unknown before the header. */
  private columns?: ReadonlySet<number>;
  private pieces: SheetPiece[] = [];
  private rows: SheetRow[] = [];
  private characters = 0;
  private count = 0;

  constructor(private readonly limits: SheetLimits) {}

  get hasHeader(): boolean {
    return this.header !== undefined;
  }

  /** How much of a cell is looked at: one character more than its column may have, so that what is cut is refused. */
  charactersOf(column: number): number {
    if (!this.columns) return HEADER_MAX_CHARACTERS + 1;
    return this.columns.has(column) ? KEPT_CHARACTERS : 0;
  }

  take(row: number, cells: Cell[]): void {
    if (!this.header) {
      this.header = readHeader(cells, this.limits);
      this.columns = columnsOf(this.header);
      this.pieces.push({ header: this.header });
      return;
    }
    this.count += 1;
    if (this.count > this.limits.rows)
      throw new SheetRefusal(
        `too many recipients for your plan: the sheet has more than ${this.limits.rows} rows`,
        'BULK_LIMIT_EXCEEDED',
      );
    const taken = rowOf(row, cells, this.header);
    this.rows.push(taken);
    this.characters += charactersIn(taken);
    if (this.rows.length === ROWS_PER_PIECE || this.characters >= CHARACTERS_PER_PIECE) this.endPiece();
  }

  endPiece(): void {
    if (this.rows.length > 0) this.pieces.push({ rows: this.rows });
    this.rows = [];
    this.characters = 0;
  }

  *ready(): Generator<SheetPiece> {
    yield* this.pieces.splice(0);
  }
}

function columnsOf({ phone, clientRef, variables }: SheetHeader): ReadonlySet<number> {
  return new Set([phone, ...(clientRef === undefined ? [] : [clientRef]), ...variables.map(({ column }) => column)]);
}

const NOTHING: CellText = { text: '' };

function rowOf(row: number, cells: readonly Cell[], header: SheetHeader): SheetRow {
  const byColumn = new Map(cells.map((cell) => [cell.column, cell]));
  const cellAt = (column: number | undefined): Cell | undefined =>
    column === undefined ? undefined : byColumn.get(column);
  const phoneCell = cellAt(header.phone);
  const phone = phoneCell ? phoneOf(phoneCell) : NOTHING;
  const values = header.variables.map(({ title, column }) => ({ title, ...textIn(cellAt(column)) }));
  const clientRef = textIn(cellAt(header.clientRef)).text.slice(0, CLIENT_REF_MAX_CHARACTERS + 1);
  const problem = problemOf({ phone, values, clientRef });
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
  const bad = values.find(({ problem }) => problem !== undefined);
  if (bad?.problem !== undefined) return { kind: 'variable', message: `column ${bad.title} ${bad.problem}` };
  const long = values.find(({ text }) => text.length > VARIABLE_MAX_CHARACTERS);
  if (long)
    return { kind: 'length', message: `column ${long.title} must be at most ${VARIABLE_MAX_CHARACTERS} characters` };
  if (clientRef.length <= CLIENT_REF_MAX_CHARACTERS) return undefined;
  return { kind: 'length', message: `clientRef must be at most ${CLIENT_REF_MAX_CHARACTERS} characters` };
}

function charactersIn({ phone, values, clientRef = '' }: SheetRow): number {
  return values.reduce((sum, value) => sum + value.length, phone.length + clientRef.length);
}
