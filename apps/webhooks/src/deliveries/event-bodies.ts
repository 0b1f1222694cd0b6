import { Injectable, Optional } from '@nestjs/common';
import { query } from '@switchboard/database';
import { entryBytes, MIB } from '@switchboard/platform';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';

/** W3C trace headers of the message that caused an event. */
export interface EventTrace extends Record<string, string | undefined> {
  /** `traceparent` of the span that sent the event's message. */
  send?: string;
}

/** Ids of an event's message for logs. Absent if the event has none. */
export interface MessageIds {
  /** Internal id. */
  messageId?: string;
  /** The upstream platform's id. */
  upstreamId?: string;
}

/** The bytes to send, with the ids for logs and traces. */
export interface EventBody extends MessageIds {
  body: Buffer;
  trace: EventTrace;
}

const BODIES = `
  SELECT id, body, trace, record_id AS "messageId", nullif(message_id, record_id) AS "upstreamId"
  FROM events WHERE id = ANY($1)`;
/** Enough for more than a minute of typical events, a few hundred bytes each. */
const REMEMBERED_BYTES = 32 * MIB;
/** Longer than a first attempt and the delay before the second one. */
const REMEMBERED_MS = 30_000;
const FORGET_EVERY_MS = 10_000;

/**
 * Returns event bodies by id. The process that stored an event caches its body for a short time; others read it from
 * the database.
 */
@Injectable()
export class EventBodies {
  private readonly recent: LRUCache<string, EventBody>;
  private forgottenAtMs: number;

  /** @param clock monotonic clock in milliseconds */
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

  /** Caches the body of an event. Useful only for events with deliveries. */
  remember(eventId: string, event: EventBody): void {
    this.forgetOld();
    this.recent.set(eventId, event);
  }

  /** @returns the bodies of the events that still exist */
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

  /** Evicts expired bodies. The cache evicts an entry only on access, and delivered events are not accessed again. */
  private forgetOld(): void {
    const nowMs = this.clock.now();
    if (nowMs < this.forgottenAtMs + FORGET_EVERY_MS) return;
    this.forgottenAtMs = nowMs;
    this.recent.purgeStale();
  }
}
