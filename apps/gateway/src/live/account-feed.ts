import { randomUUID } from 'node:crypto';
import { CHANGED_IDS_MAX, type DataKind } from '@switchboard/contracts';

/** Minimum time between two hints of an account, in milliseconds. Changes in between share the next hint. */
const HINT_EVERY_MS = 250;
/** Number of hints that a browser can resume after. */
const RECENT_HINTS = 100;

interface Hint {
  number: number;
  text: string;
}

/**
 * Combines the changes of one account into hints, and retains the latest of them. A hint contains kinds, internal ids
 * and a time, but no content.
 */
export class AccountFeed {
  private readonly name = randomUUID();
  private number = 0;
  private readonly recent: Hint[] = [];
  /** Ids by kind since the last hint; null for a kind with too many or unknown ids. */
  private readonly noted = new Map<DataKind, Set<string> | null>();
  private timer: NodeJS.Timeout | undefined;
  private sentAt = -Infinity;

  /** @param send receives each hint as text of an event stream */
  constructor(private readonly send: (text: string) => void) {}

  /** Id of the latest event. */
  get position(): string {
    return `${this.name}.${this.number}`;
  }

  /** @param changed ids of the changed data; undefined if they are many or unknown */
  note(kind: DataKind, changed?: readonly string[]): void {
    const ids = this.noted.has(kind) ? this.noted.get(kind) : new Set<string>();
    for (const id of changed ?? []) ids?.add(id);
    this.noted.set(kind, !changed || !ids || ids.size > CHANGED_IDS_MAX ? null : ids);
    this.timer ??= setTimeout(() => this.flush(), Math.max(0, this.sentAt + HINT_EVERY_MS - performance.now()));
    this.timer.unref();
  }

  /** Returns the hints after an event id, or undefined if some of them are not retained. */
  after(id: string): string[] | undefined {
    const [name, given] = id.split('.');
    const number = Number(given);
    if (name !== this.name || !Number.isInteger(number) || number > this.number) return undefined;
    if (number < this.number - this.recent.length) return undefined;
    return this.recent.filter((hint) => hint.number > number).map(({ text }) => text);
  }

  /** Tells the browsers to read everything again, because changes may have been missed. */
  resync(): void {
    this.number += 1;
    this.recent.length = 0;
    this.send(resyncEvent(this.position));
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private flush(): void {
    this.timer = undefined;
    this.sentAt = performance.now();
    this.number += 1;
    const changes = [...this.noted].map(([kind, ids]) => ({ kind, ...(ids && { ids: [...ids] }) }));
    this.noted.clear();
    const text = eventText('hint', { at: new Date().toISOString(), changes }, this.position);
    this.recent.push({ number: this.number, text });
    if (this.recent.length > RECENT_HINTS) this.recent.shift();
    this.send(text);
  }
}

/** Returns the event that tells a browser to read everything again. */
export function resyncEvent(position: string): string {
  return eventText('resync', { at: new Date().toISOString() }, position);
}

/** Formats an event of an event stream. An event without id leaves the browser's position unchanged. */
export function eventText(event: string, data: object, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
