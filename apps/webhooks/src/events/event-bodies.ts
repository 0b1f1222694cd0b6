import { query } from '@switchboard/database';
import type { DataSource } from 'typeorm';

/** What a delivery sends. */
export interface EventBody {
  body: Buffer;
  /** The W3C trace headers of the event's cause. */
  trace: Record<string, string>;
}

const BODIES = 'SELECT id, body, trace FROM events WHERE id = ANY($1)';
/** Bodies of events that were recorded a moment ago are still at hand; the rest is read. Each is some hundred bytes. */
const REMEMBERED = 20_000;

/** The bytes of events by id: remembered for a while by the process that recorded them, otherwise read. */
export class EventBodies {
  private readonly recent = new Map<string, EventBody>();

  constructor(private readonly dataSource: DataSource) {}

  remember(eventId: string, event: EventBody): void {
    this.recent.set(eventId, event);
    if (this.recent.size > REMEMBERED) for (const oldest of this.recent.keys()) return void this.recent.delete(oldest);
  }

  /** @returns the bodies that still exist */
  async of(eventIds: string[]): Promise<Map<string, EventBody>> {
    const found = new Map<string, EventBody>();
    const unknown: string[] = [];
    for (const id of eventIds) {
      const event = this.recent.get(id);
      if (event) found.set(id, event);
      else unknown.push(id);
    }
    if (unknown.length === 0) return found;
    const rows = await query<EventBody & { id: string }>(this.dataSource, BODIES, [unknown]);
    for (const { id, body, trace } of rows) found.set(id, { body, trace });
    return found;
  }
}
