/**
 * One text for all JSON texts of the same value, whatever the order of names and the white space. Lists keep their order.
 * @param value what a JSON parser made; undefined, as of a request without a body, gives an empty text
 */
export function canonicalText(value: unknown): string {
  return JSON.stringify(inOrder(value)) ?? '';
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? listInOrder(value) : objectInOrder(value as Readonly<Record<string, unknown>>);
}

/** The list itself where it holds no objects: of very many phone numbers nothing is copied. */
function listInOrder(list: readonly unknown[]): readonly unknown[] {
  let ordered: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const element = inOrder(list[index]);
    if (element !== list[index]) ordered ??= list.slice(0, index);
    ordered?.push(element);
  }
  return ordered ?? list;
}

/** As a list of names and one of values: an object with the same names in order would cost three times as much to make and to write. */
function objectInOrder(object: Readonly<Record<string, unknown>>): object {
  const names = Object.keys(object).sort();
  return names.length === 0 ? object : { names, values: names.map((name) => inOrder(object[name])) };
}
