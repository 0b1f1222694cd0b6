import { Injectable, Optional } from '@nestjs/common';
import { query } from '@switchboard/database';
import { entryBytes, MIB } from '@switchboard/platform';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';

/** The W3C trace headers of an event's cause. */
export interface EventTrace extends Record<string, string | undefined> {
  /** `traceparent` of the span that sent the event's message. */
  send?: string;
}

/** The ids of an event's message as logs have them; absent where there is none. */
export interface MessageIds {
  /** Internal. */
  messageId?: string;
  /** The upstream platform's. */
  upstreamId?: string;
}

/** What a delivery sends, and what logs and traces name it by. */
export interface EventBody extends MessageIds {
  body: Buffer;
  trace: EventTrace;
}

const BODIES = `
  SELECT id, body, trace, record_id AS "messageId", nullif(message_id, record_id) AS "upstreamId"
  FROM events WHERE id = ANY($1)`;
/** A minute and more of usual events, of some hundred bytes each. */
const REMEMBERED_BYTES = 32 * MIB;
/** Longer than a first attempt may take, and the pause before the second one. */
const REMEMBERED_MS = 30_000;
const FORGET_EVERY_MS = 10_000;

/** The bytes of events by id: remembered for a while by the process that recorded them, otherwise read. */
@Injectable()
export class EventBodies {
  private readonly recent: LRUCache<string, EventBody>;
  private forgottenAtMs: number;

  /** @param clock tells milliseconds, from any start */
  constructor(
    private readonly dataSource: DataSource,
    @Optional() private readonly clock: { now(): number } = performance,
  ) {
    this.forgottenAtMs = clock.now();
    this.recent = new LRUCache<string, EventBody>({
      maxSize: REMEMBERED_BYTES,
      sizeCalculation: ({ body, ...rest }, id) => entryBytes(id, body, rest),
      ttl: REMEMBERED_MS,
      perf: clock,
    });
  }

  /** For events that have deliveries: nobody asks for the others. */
  remember(eventId: string, event: EventBody): void {
    this.forgetOld();
    this.recent.set(eventId, event);
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
    for (const { id, messageId, upstreamId, ...event } of rows)
      found.set(id, { ...event, messageId: messageId ?? undefined, upstreamId: upstreamId ?? undefined });
    return found;
  }

  /** The cache itself removes an old event only when somebody asks for it, and nobody asks for a delivered one. */
  private forgetOld(): void {
    const nowMs = this.clock.now();
    if (nowMs < this.forgottenAtMs + FORGET_EVERY_MS) return;
    this.forgottenAtMs = nowMs;
    this.recent.purgeStale();
  }
}
