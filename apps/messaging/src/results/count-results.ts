import { isId, RESULT_GROUPINGS, type ResultGrouping, timeOfId } from '@switchboard/contracts';
import { bucketOf } from './response-times';

/** An outbound message with the messages of its conversation that matter. */
export interface CountedMessage {
  id: string;
  state: string;
  template: string | null;
  jobId: string | null;
  senderId: string | null;
  /** Ids and names of the labels of its contact. */
  labels: [id: string, name: string][];
  /** Reason of the failure; null if it did not fail. */
  reason: string | null;
  /** First message of the contact that answers it; null without an answer. */
  answerId: string | null;
  isPressed: boolean;
  /** First message of the contact that waited for it; null if none did. */
  waitingId: string | null;
}

/** Counts of one value of a dimension. */
export interface Counts {
  name: string;
  sent: number;
  delivered: number;
  read: number;
  answered: number;
  pressed: number;
  failed: number;
  reasons: Record<string, number>;
  /** Number of responses by bucket. */
  times: Record<string, number>;
}

export interface CountsOf extends Counts {
  dimension: ResultGrouping;
  key: string;
}

const UNKNOWN_REASON = 'UPSTREAM_ERROR';

/** Sums messages by template, job, label and agent. */
export class ResultCounts {
  private readonly counts = new Map<string, CountsOf>();

  add(message: CountedMessage): void {
    const { id, template, jobId, senderId, labels, answerId, waitingId } = message;
    const answeredAfter = timeBetween(id, answerId);
    this.count('template', template ?? '', '', message, answeredAfter);
    this.count('job', jobId ?? '', jobId === null ? '' : (template ?? ''), message, answeredAfter);
    for (const [label, name] of labels.length > 0 ? labels : [['', ''] as const])
      this.count('label', label, name, message, answeredAfter);
    const isAgent = senderId !== null && isId('usr', senderId);
    this.count('agent', isAgent ? senderId : '', '', message, isAgent ? timeBetween(waitingId, id) : null);
  }

  /** Adds counts that were stored before. */
  merge(counts: CountsOf): void {
    const known = this.of(counts.dimension, counts.key, counts.name);
    for (const figure of ['sent', 'delivered', 'read', 'answered', 'pressed', 'failed'] as const)
      known[figure] += counts[figure];
    for (const part of ['reasons', 'times'] as const)
      for (const [key, count] of Object.entries(counts[part])) increase(known[part], key, count);
  }

  /** Returns the sums in the order of their keys. */
  all(): CountsOf[] {
    return [...this.counts.values()].toSorted(
      (one, other) =>
        RESULT_GROUPINGS.indexOf(one.dimension) - RESULT_GROUPINGS.indexOf(other.dimension) ||
        (one.key < other.key ? -1 : 1),
    );
  }

  private count(
    dimension: ResultGrouping,
    key: string,
    name: string,
    { state, reason, answerId, isPressed }: CountedMessage,
    responseMs: number | null,
  ): void {
    const counts = this.of(dimension, key, name);
    if (state === 'failed') {
      counts.failed += 1;
      increase(counts.reasons, reason ?? UNKNOWN_REASON, 1);
    } else {
      counts.sent += 1;
    }
    if (state === 'delivered' || state === 'read') counts.delivered += 1;
    if (state === 'read') counts.read += 1;
    if (answerId !== null) counts.answered += 1;
    if (isPressed) counts.pressed += 1;
    if (responseMs !== null) increase(counts.times, String(bucketOf(responseMs)), 1);
  }

  private of(dimension: ResultGrouping, key: string, name: string): CountsOf {
    const place = `${dimension}\n${key}`;
    const counts = this.counts.get(place) ?? {
      dimension,
      key,
      name,
      sent: 0,
      delivered: 0,
      read: 0,
      answered: 0,
      pressed: 0,
      failed: 0,
      reasons: {},
      times: {},
    };
    this.counts.set(place, counts);
    return counts;
  }
}

function increase(counts: Record<string, number>, key: string, by: number): void {
  counts[key] = (counts[key] ?? 0) + by;
}

/** Returns the time between two messages in milliseconds; null if one is missing. */
function timeBetween(first: string | null, second: string | null): number | null {
  const [from, to] = [first, second].map((id) => (id === null ? null : timeOfId('msg', id)));
  return from && to ? to.getTime() - from.getTime() : null;
}
