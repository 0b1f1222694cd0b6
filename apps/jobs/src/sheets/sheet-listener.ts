import { type Cell, isBlank } from './cell';
import type { CellStyles } from './date-styles';
import type { SharedTexts } from './shared-texts';
import { LAST_COLUMN, LAST_ROW } from './sheet-limits';
import { unreadable } from './sheet-refusal';
import { kept, TextGatherer, unescaped } from './text-gatherer';
import type { Attributes, XmlListener } from './xml-parts';

export interface SheetContext {
  sharedTexts: SharedTexts;
  styles: CellStyles;
  cellCharacters: number;
  /** Returns the number of characters needed from a cell in this column; 0 for none. */
  charactersOf(column: number): number;
  /**
   * Receives each row when it ends, unless all its cells are blank. The needed cells are in column order, without empty
   * ones.
   */
  onRow(row: number, cells: Cell[], isHidden: boolean): void;
  /** Receives each range of hidden columns, before any row. */
  onHiddenColumns(first: number, last: number): void;
}

const TYPES: Record<string, Cell['type']> = { s: 't', str: 't', inlineStr: 't', b: 'b', e: 'e', d: 'd' };
const REFERENCE = /^\$?([A-Z]{1,3})\$?[0-9]*$/i;
const LETTERS = 26;
const BEFORE_A = 64;

/** Builds rows from the elements of a sheet. A row or cell without `r` follows the previous one. */
export class SheetListener implements XmlListener {
  private row = 0;
  private column = 0;
  private cells: Cell[] = [];
  private isRowBlank = true;
  private isRowHidden = false;
  private areRowsHidden = false;
  private cell?: Cell;
  private isShared = false;
  private inValue = false;
  private value = '';
  private readonly inline: TextGatherer;

  constructor(private readonly context: SheetContext) {
    this.inline = new TextGatherer(context.cellCharacters);
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'c') this.beginCell(attributes);
    else if (name === 'v') this.inValue = this.cell !== undefined;
    else if (name === 'row') this.beginRow(attributes);
    else if (name === 'col') this.recordColumns(attributes);
    else if (name === 'sheetFormatPr') this.areRowsHidden = isTrue(attributes['zeroHeight']);
    else if (this.cell === undefined) return;
    else if (name === 'f') this.cell.isFormula = true;
    else this.inline.open(name);
  }

  close(name: string): void {
    if (name === 'v') this.inValue = false;
    else if (name === 'c') this.endCell();
    else if (name === 'row') this.endRow();
    else if (this.cell !== undefined) this.inline.close(name);
  }

  text(text: string): void {
    if (this.inValue) this.value += text;
    else if (this.cell !== undefined) this.inline.add(text);
    if (this.value.length > this.context.cellCharacters)
      throw unreadable(`one of its cells has more than ${this.context.cellCharacters} characters`);
  }

  private recordColumns({ min, max, hidden }: Attributes): void {
    if (isTrue(hidden)) this.context.onHiddenColumns(Number(min), Number(max));
  }

  private beginRow({ r: given, hidden, ht: height }: Attributes): void {
    const row = given === undefined ? this.row + 1 : Number(given);
    if (!Number.isInteger(row) || row <= this.row || row > LAST_ROW) throw unreadable('its rows are not in order');
    this.row = row;
    this.column = 0;
    this.cells = [];
    this.isRowBlank = true;
    this.isRowHidden = isTrue(hidden) || Number(height ?? Number(!this.areRowsHidden)) === 0;
    this.cell = undefined;
  }

  private endRow(): void {
    if (!this.isRowBlank) this.context.onRow(this.row, this.cells, this.isRowHidden);
  }

  private beginCell({ r: reference, t: type = 'n', s: style }: Attributes): void {
    const column = reference === undefined ? this.column + 1 : columnOf(reference);
    if (column <= this.column || column > LAST_COLUMN) throw unreadable('the cells of a row are not in order');
    this.column = column;
    this.isShared = type === 's';
    this.value = '';
    this.inline.reset();
    const { dates, numbers } = this.context.styles;
    this.cell = {
      column,
      type: TYPES[type] ?? 'n',
      raw: '',
      ...(style !== undefined && { dateFormat: dates.get(Number(style)), numberFormat: numbers.get(Number(style)) }),
      isFormula: false,
    };
  }

  private endCell(): void {
    const { cell } = this;
    if (!cell) return;
    this.cell = undefined;
    const characters = this.context.charactersOf(cell.column);
    // Any other column only determines whether the row is blank.
    cell.raw = this.rawValue(cell, Math.max(1, characters));
    this.isRowBlank &&= isBlank(cell);
    if (characters > 0 && (cell.raw !== '' || cell.isFormula)) this.cells.push(cell);
  }

  private rawValue({ type }: Cell, characters: number): string {
    if (this.isShared && this.value !== '') {
      const text = this.context.sharedTexts.at(Number(this.value), characters);
      if (text === undefined) throw unreadable('one of its cells refers to a missing text');
      return text;
    }
    // Inline text is in <is>, any other value in <v>.
    return kept(type === 't' ? this.inline.text() || unescaped(this.value) : this.value, characters);
  }
}

/** Parses a boolean attribute (ECMA-376, ST_Boolean). */
function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true' || value === 'on';
}

/** Returns the column of a reference such as `AB12`, counted from 1. */
function columnOf(reference: string): number {
  const [, letters] = REFERENCE.exec(reference) ?? [];
  if (letters === undefined) throw unreadable('one of its cells has an invalid reference');
  return [...letters.toUpperCase()].reduce((column, letter) => column * LETTERS + letter.charCodeAt(0) - BEFORE_A, 0);
}
