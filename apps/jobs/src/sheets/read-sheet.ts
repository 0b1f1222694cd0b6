import { openArchive } from './archive';
import { type Cell, type CellText, isBlank, phoneOf, textOf } from './cell';
import { readDateStyles } from './date-styles';
import { readHeader, type SheetHeader } from './header';
import { readSharedTexts } from './shared-texts';
import { SheetListener } from './sheet-listener';
import type { SheetLimits } from './sheet-limits';
import { SheetRefusal, unreadable } from './sheet-refusal';
import { findParts } from './workbook';
import { parseXml } from './xml-parts';

/** A row of the sheet that is not blank. */
export interface SheetRow {
  /** Its number in the sheet, from 1. */
  row: number;
  phone: string;
  /** Of the header's variables, in their order; empty where nothing stands. */
  values: string[];
  clientRef?: string;
  /** The first thing that is wrong with one of its cells. */
  problem?: { column: 'phone' | 'variable'; message: string };
}

/** First the header, alone; then the rows. */
export type SheetPiece = { header: SheetHeader } | { rows: SheetRow[] };

const ROWS_PER_BATCH = 500;

/**
 * Reads the first visible sheet of an .xlsx file, piece by piece, and never holds more of it than one piece and the shared texts.
 * @throws SheetRefusal for what is no such file, breaks a limit or has no usable header; rows that came before stay given
 */
export async function* readSheet(bytes: Uint8Array, limits: SheetLimits): AsyncGenerator<SheetPiece> {
  const archive = await openArchive(bytes, limits);
  const parts = await findParts(archive);
  const dateStyles = await readDateStyles(archive, parts.styles);
  const sharedTexts = await readSharedTexts(archive, parts.sharedTexts, limits);
  const gathering = new Gathering(limits);
  const listener = new SheetListener({ sharedTexts, dateStyles, cellCharacters: limits.cellCharacters, onRow: (row, cells) => gathering.take(row, cells) });
  const parsing = parseXml(archive.read(parts.sheet), listener);
  while (!(await parsing.next()).done) yield* gathering.ready(ROWS_PER_BATCH);
  yield* gathering.ready(1);
  if (!gathering.hasHeader) throw unreadable('its first visible sheet is empty');
}

/** Turns cells into rows under the header, and keeps them until somebody takes them. */
class Gathering {
  private header?: SheetHeader;
  private isHeaderGiven = false;
  private rows: SheetRow[] = [];
  private count = 0;

  constructor(private readonly limits: SheetLimits) {}

  get hasHeader(): boolean {
    return this.header !== undefined;
  }

  take(row: number, cells: Cell[]): void {
    if (cells.every(isBlank)) return;
    if (!this.header) {
      this.header = readHeader(cells, this.limits);
      return;
    }
    this.count += 1;
    if (this.count > this.limits.rows) throw new SheetRefusal(`too many recipients for your plan: the sheet has more than ${this.limits.rows} rows`, 'BULK_LIMIT_EXCEEDED');
    this.rows.push(rowOf(row, cells, this.header));
  }

  *ready(atLeast: number): Generator<SheetPiece> {
    if (this.header && !this.isHeaderGiven) {
      this.isHeaderGiven = true;
      yield { header: this.header };
    }
    while (this.rows.length >= atLeast) yield { rows: this.rows.splice(0, ROWS_PER_BATCH) };
  }
}

const NOTHING: CellText = { text: '' };

function rowOf(row: number, cells: readonly Cell[], header: SheetHeader): SheetRow {
  const cellAt = (wanted: number | undefined): Cell | undefined => cells.find(({ column }) => column === wanted);
  const phoneCell = cellAt(header.phone);
  const phone = phoneCell ? phoneOf(phoneCell) : NOTHING;
  const values = header.variables.map(({ name, column }) => ({ name, ...textIn(cellAt(column)) }));
  const bad = values.find(({ problem }) => problem !== undefined);
  const clientRef = textIn(cellAt(header.clientRef)).text;
  return { row, phone: phone.text, values: values.map(({ text }) => text), ...(clientRef !== '' && { clientRef }), ...problemOf(phone, bad) };
}

function textIn(cell: Cell | undefined): CellText {
  return cell ? textOf(cell) : NOTHING;
}

function problemOf(phone: CellText, bad: { name: string; problem?: string } | undefined): Pick<SheetRow, 'problem'> {
  if (phone.problem !== undefined) return { problem: { column: 'phone', message: `the cell ${phone.problem}` } };
  return bad?.problem === undefined ? {} : { problem: { column: 'variable', message: `column ${bad.name} ${bad.problem}` } };
}
