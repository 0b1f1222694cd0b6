import { keyOfColumn } from '@switchboard/template-rules';
import { type Cell, textOf } from './cell';
import { HEADER_MAX_CHARACTERS, type SheetLimits } from './sheet-limits';
import { unreadable } from './sheet-refusal';

/** Which column holds what; columns are counted from 1. */
export interface SheetHeader {
  phone: number;
  clientRef?: number;
  /** By the variable's key, in lower case, in the order of the sheet; `title` is the header as it is written. */
  variables: { key: string; title: string; column: number }[];
}

const SHOWN_NAMES = 20;
const SHOWN_CHARACTERS = 40;

/**
 * Reads the header row: names are trimmed and in either case; other columns are the customer's own business (spec
 * §8.3.1).
 * @throws SheetRefusal unless there is exactly one column named phone, and no variable twice
 */
export function readHeader(cells: readonly Cell[], limits: Pick<SheetLimits, 'columns'>): SheetHeader {
  const named = cells.map((cell) => ({ column: cell.column, name: nameOf(cell) })).filter(({ name }) => name !== '');
  if (named.length > limits.columns) throw unreadable(`it has more than ${limits.columns} columns`);
  const columnsNamed = (wanted: string): number[] =>
    named.filter(({ name }) => name.toLowerCase() === wanted).map(({ column }) => column);
  const [phone, ...more] = columnsNamed('phone');
  if (phone === undefined)
    throw unreadable(
      `it has no column named phone; its first row has ${shownNames(
        named.map(({ name }) => name),
        'no texts',
      )}`,
    );
  if (more.length > 0) throw unreadable('it has more than one column named phone');
  return { phone, clientRef: columnsNamed('clientref')[0], variables: variablesAmong(named) };
}

function variablesAmong(named: readonly { column: number; name: string }[]): SheetHeader['variables'] {
  const variables = named.flatMap(({ column, name }) => {
    const key = keyOfColumn(name);
    return key === undefined ? [] : [{ key, title: name, column }];
  });
  const twice = variables.find(({ key }, index) => variables.findIndex((other) => other.key === key) !== index);
  if (twice) throw unreadable(`it has more than one column for the variable ${twice.key}`);
  return variables;
}

function nameOf(cell: Cell): string {
  const { text } = textOf(cell);
  // Nothing is known of what follows: it is no name of ours, whatever it begins with.
  if (text.length > HEADER_MAX_CHARACTERS) return `${text.slice(0, HEADER_MAX_CHARACTERS)}…`;
  return plainName(text);
}

/** A column's name without the marks of direction and byte order, which nobody sees. */
export function plainName(text: string): string {
  return text.replace(/[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g, '').trim();
}

/** The first of some names, and only their beginnings; `none` when there are none. */
export function shownNames(names: readonly string[], none = 'none'): string {
  if (names.length === 0) return none;
  const some = names.slice(0, SHOWN_NAMES).map((name) => name.slice(0, SHOWN_CHARACTERS));
  return some.join(', ') + (names.length > SHOWN_NAMES ? ', …' : '');
}
