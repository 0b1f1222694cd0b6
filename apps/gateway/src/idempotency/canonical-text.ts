/**
 * Returns the same text for all JSON texts of one value, regardless of name order and white space. Lists keep their
 * order. The text is the value flattened into one list, in which each object or list becomes a mark with its size,
 * followed by its members. Sorting names in a copy of the value would cost two to five times as much for very many
 * small objects.
 * @param value parsed JSON; undefined, for a request without a body, gives an empty text
 */
export function canonicalText(value: unknown): string {
  if (value === undefined) return '';
  const flat: unknown[] = [];
  write(value, flat);
  return JSON.stringify(flat);
}

/** Marks are lists. No other element of the flat list is a list, so a value cannot be confused with a mark. */
const objectMark = (size: number): readonly number[] => [size];
const listMark = (size: number): readonly number[] => [size, 0];

/** Precomputed marks of small objects, of which a body may have 70,000. */
const SMALL_OBJECTS = Array.from({ length: 33 }, (_, size) => objectMark(size));

function write(value: unknown, flat: unknown[]): void {
  if (typeof value !== 'object' || value === null) flat.push(value);
  else if (Array.isArray(value)) writeList(value, flat);
  else writeObject(value as Readonly<Record<string, unknown>>, flat);
}

function writeList(list: readonly unknown[], flat: unknown[]): void {
  flat.push(listMark(list.length));
  for (const element of list) write(element, flat);
}

function writeObject(object: Readonly<Record<string, unknown>>, flat: unknown[]): void {
  const names = inOrder(Object.keys(object));
  flat.push(SMALL_OBJECTS[names.length] ?? objectMark(names.length));
  for (const name of names) {
    flat.push(name);
    write(object[name], flat);
  }
}

/** Sorts names unless they are already in order, as most are. */
function inOrder(names: string[]): readonly string[] {
  for (let index = 1; index < names.length; index += 1) if (names[index - 1]! > names[index]!) return names.sort();
  return names;
}
