import { keyOfColumn } from '@switchboard/template-rules';
import { type Cell, plainText, textOf } from './cell';
import { HEADER_MAX_CHARACTERS, type SheetLimits } from './sheet-limits';
import { unreadable } from './sheet-refusal';

/** Columns with a meaning, counted from 1. At least one of `phone` and `userId` is set. */
export interface SheetHeader {
  phone?: number;
  userId?: number;
  clientRef?: number;
  /** Variables by lower-case key, in sheet order. `title` is the header as written. */
  variables: { key: string; title: string; column: number }[];
}

const PHONE = 'phone';
/** Names of the column of user ids, in lower case. */
const USER_ID_NAMES = ['user id', 'userid', 'user_id'];
/** Names of the columns that identify recipients, in lower case. */
export const RECIPIENT_NAMES: readonly string[] = [PHONE, ...USER_ID_NAMES];
const SHOWN_NAMES = 20;
const SHOWN_CHARACTERS = 40;

/**
 * Parses the header row. Names are trimmed and case-insensitive. Other columns are ignored (spec §8.3.1).
 * @throws SheetRefusal unless there is one column named phone, one named user id or both, and each variable at most
 * once
 */
export function readHeader(cells: readonly Cell[], limits: Pick<SheetLimits, 'columns'>): SheetHeader {
  const named = cells.map((cell) => ({ column: cell.column, name: nameOf(cell) })).filter(({ name }) => name !== '');
  if (named.length > limits.columns) throw unreadable(`it has more than ${limits.columns} columns`);
  const columnsNamed = (...wanted: string[]): number[] =>
    named.filter(({ name }) => wanted.includes(name.toLowerCase())).map(({ column }) => column);
  const [phone, ...morePhones] = columnsNamed(PHONE);
  const [userId, ...moreUserIds] = columnsNamed(...USER_ID_NAMES);
  if (phone === undefined && userId === undefined)
    throw unreadable(
      `it has no column named phone or user id; its first row has ${shownNames(
        named.map(({ name }) => name),
        'no texts',
      )}`,
    );
  if (morePhones.length > 0) throw unreadable('it has more than one column named phone');
  if (moreUserIds.length > 0) throw unreadable('it has more than one column named user id');
  return { phone, userId, clientRef: columnsNamed('clientref')[0], variables: variablesAmong(named) };
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
  // A truncated name never matches, because the rest of it is unknown.
  if (text.length > HEADER_MAX_CHARACTERS) return `${text.slice(0, HEADER_MAX_CHARACTERS)}…`;
  return plainText(text);
}

/** Returns the first few names, truncated, or `none` if there are none. */
export function shownNames(names: readonly string[], none = 'none'): string {
  if (names.length === 0) return none;
  const some = names.slice(0, SHOWN_NAMES).map((name) => name.slice(0, SHOWN_CHARACTERS));
  return some.join(', ') + (names.length > SHOWN_NAMES ? ', …' : '');
}
