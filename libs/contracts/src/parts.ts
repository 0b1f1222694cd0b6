export interface PartLimits {
  /** Maximum number of items. */
  items: number;
  /** Maximum size of the items as JSON, in bytes. A larger single item gets its own part. */
  bytes: number;
}

/**
 * Splits a list, in order, into parts that fit into messages between services. Returns no parts for an empty list.
 * @param bytesOf returns the size of an item in bytes
 */
export function inParts<Item extends object>(
  list: readonly Item[],
  limits: PartLimits,
  bytesOf: (item: Item) => number = jsonBytes,
): Item[][] {
  const parts: Item[][] = [];
  let part: Item[] = [];
  let bytes = 0;
  for (const item of list) {
    const itemBytes = bytesOf(item);
    if (part.length > 0 && (part.length >= limits.items || bytes + itemBytes > limits.bytes)) {
      parts.push(part);
      part = [];
      bytes = 0;
    }
    part.push(item);
    bytes += itemBytes;
  }
  return part.length > 0 ? [...parts, part] : parts;
}

/** Returns the size in bytes of a value as an element of a JSON list. */
export function jsonBytes(value: object): number {
  return Buffer.byteLength(JSON.stringify(value)) + 1;
}
