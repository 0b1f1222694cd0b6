/** Member name of a JSON text whose value was lost in parsing. */
export interface LostName {
  /** Path of names and positions, joined by dots. */
  field: string;
  /** True if the name is repeated in its object, where the last value applies. False if the parser dropped it. */
  isRepeated: boolean;
}

const MOST_LOST = 10;

/** Counts the members of all objects in a parsed value. */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  // Plain loops, since this visits the whole body.
  if (Array.isArray(value)) {
    for (const element of value as unknown[]) count += countMembers(element);
    return count;
  }
  for (const name in value) count += 1 + countMembers((value as Record<string, unknown>)[name]);
  return count;
}

/**
 * Returns the member names that parsing lost, because they are repeated or were dropped. Call it only if the text has
 * more members than the value, since it scans the text again.
 * @param json valid JSON
 * @param value value parsed from the text
 */
export function lostNames(json: string, value: unknown): LostName[] {
  return new NameReading(json).read(value);
}

class NameReading {
  private position = 0;
  private lost: LostName[] = [];

  constructor(private readonly json: string) {}

  read(value: unknown): LostName[] {
    this.readValue(value, '');
    return this.lost.slice(0, MOST_LOST);
  }

  private readValue(value: unknown, path: string): void {
    const character = this.next();
    if (character === '{') return this.readObject(value, path);
    if (character === '[') return this.readList(value, path);
    if (character === '"') return void this.readString();
    while (this.position < this.json.length && !/[\s,\]}]/.test(this.json[this.position]!)) this.position += 1;
  }

  private readObject(value: unknown, path: string): void {
    const names = new Set<string>();
    this.position += 1;
    for (let character = this.next(); character === '"' || character === ','; character = this.next()) {
      if (character === ',') {
        this.position += 1;
        continue;
      }
      const name = this.readString();
      this.next();
      // Skip the colon.
      this.position += 1;
      const member = memberOf(value, name);
      this.judge(path + name, { isRepeated: names.has(name), isLost: value !== undefined && member === undefined });
      names.add(name);
      this.readValue(member, `${path}${name}.`);
    }
    this.position += 1;
  }

  private readList(value: unknown, path: string): void {
    this.position += 1;
    for (let index = 0; this.position < this.json.length; ) {
      const character = this.next();
      if (character === ',' || character === ']') this.position += 1;
      if (character === ']') return;
      if (character === ',') index += 1;
      else this.readValue(Array.isArray(value) ? (value as unknown[])[index] : undefined, `${path}${index}.`);
    }
  }

  private judge(field: string, { isRepeated, isLost }: { isRepeated: boolean; isLost: boolean }): void {
    // Discards findings in an earlier duplicate, which were compared with the value of the last one.
    if (isRepeated) this.lost = this.lost.filter((each) => each.field !== field && !each.field.startsWith(`${field}.`));
    if ((isRepeated || isLost) && this.lost.length < MOST_LOST) this.lost.push({ field, isRepeated });
  }

  private readString(): string {
    const from = this.position;
    for (this.position += 1; this.json[this.position] !== '"'; this.position += 1)
      if (this.json[this.position] === '\\') this.position += 1;
    this.position += 1;
    return JSON.parse(this.json.slice(from, this.position)) as string;
  }

  /** Skips white space and a byte-order mark. */
  private next(): string {
    while (this.position < this.json.length && /\s/.test(this.json[this.position]!)) this.position += 1;
    return this.json[this.position] ?? '';
  }
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
