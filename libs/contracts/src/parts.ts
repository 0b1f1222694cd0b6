/** How much one part of a list holds. */
export interface PartLimits {
  /** Most items. */
  items: number;
  /** Most bytes of the items as JSON; a single item that takes more is a part by itself. */
  bytes: number;
}

/**
 * A list in parts that messages between services can carry, in its order; none for an empty list.
 * @param bytesOf what an item takes in bytes
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

/** What a value takes as an item of a JSON list, in bytes. */
export function jsonBytes(value: object): number {
  return Buffer.byteLength(JSON.stringify(value)) + 1;
}
