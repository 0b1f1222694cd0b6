/**
 * One text for all JSON texts of the same value, whatever the order of names and the white space. Lists keep their
 * order. The text is the value written flat, in one list: each object and list is a mark with its size, and its members
 * follow. To order the names inside a copy of the value instead costs two to five times as much for very many small
 * objects.
 * @param value what a JSON parser made; undefined, as of a request without a body, gives an empty text
 */
export function canonicalText(value: unknown): string {
  if (value === undefined) return '';
  const flat: unknown[] = [];
  write(value, flat);
  return JSON.stringify(flat);
}

/** Marks are lists, as no other element of the flat list is one: nothing that a value holds can be taken for a mark. */
const objectMark = (size: number): readonly number[] => [size];
const listMark = (size: number): readonly number[] => [size, 0];

/** The marks of most objects, made once: a body may hold 70,000. */
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

/** Sorts the names where they are out of order, which those of most callers are not. */
function inOrder(names: string[]): readonly string[] {
  for (let index = 1; index < names.length; index += 1) if (names[index - 1]! > names[index]!) return names.sort();
  return names;
}
