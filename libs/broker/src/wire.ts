import type { MessagePropertyHeaders } from 'amqplib';

/**
 * Internal headers. Only these count failures, because the broker's own counts differ between versions and can be
 * forged.
 */
export const HEADERS = {
  failures: 'x-failures',
  /** Command: time that the caller waits for the reply once the command is accepted, in milliseconds. */
  timeLimit: 'x-time-limit-ms',
  /** Command: the caller also reads `TAKEN_NOTES` and `REPLIES`, unlike callers of earlier versions. */
  readsGroups: 'x-reads-groups',
  /** Command: the content is an encrypted request (`RequestBox`). */
  sealed: 'x-sealed',
  reason: 'x-reason',
  failedAt: 'x-failed-at',
  originalExchange: 'x-original-exchange',
  originalRoutingKey: 'x-original-routing-key',
} as const;

export const JSON_CONTENT = 'application/json';
/** The `type` property of a reply that carries an AppErrorBody. */
export const ERROR_REPLY = 'error';
/**
 * Member of an error reply confirming that the process decrypted the request. A process of an earlier version, or
 * without a key, omits it and treats the encrypted request as invalid.
 */
export const OPENED = 'isOpened';
/** The `type` property of the empty acceptance note, which precedes the reply to a command that changes something. */
export const TAKEN_NOTE = 'taken';
/** The `type` property of grouped acceptance notes: a list of command ids. */
export const TAKEN_NOTES = 'taken-notes';
/** The `type` property of a message with grouped replies (`groupedReplies`). */
export const REPLIES = 'replies';

/** One reply of a group, as parsed. */
export interface GroupedReply {
  id: string;
  type?: typeof ERROR_REPLY;
  body: object;
}

/** Builds the content of a message with several replies, each of which is already JSON. */
export function groupedReplies(replies: readonly { id: string; type?: string; content: string }[]): string {
  const items = replies.map(
    ({ id, type, content }) =>
      `{"id":${JSON.stringify(id)},${type === undefined ? '' : `"type":${JSON.stringify(type)},`}"body":${content}}`,
  );
  return `[${items.join(',')}]`;
}

/** The `type` property of grouped commands: a list of `GroupedCommand`. */
export const COMMANDS = 'commands';
/** The `type` property of the empty reply that returns a group to its caller. */
export const GROUP_RETURNED = 'group-returned';

/** One command of a group, as parsed. */
export interface GroupedCommand {
  id: string;
  headers?: MessagePropertyHeaders;
  body: unknown;
}

/** Serializes one command of a group. @param command.content its request, which is already JSON */
export function groupedCommand(command: { id: string; headers?: MessagePropertyHeaders; content?: string }): string {
  const { id, headers = {}, content = 'null' } = command;
  return `{"id":${JSON.stringify(id)},"headers":${JSON.stringify(headers)},"body":${content}}`;
}

/** Headers to drop on republishing: those that the broker adds in transit, and those that describe a dead letter. */
const NOT_CARRIED_ON =
  /^(x-(death|(first|last)-death-.*|delivery-count|acquired-count|reason|failed-at|original-.*)|CC|BCC)$/;

/** Returns the headers to keep when a message is published again. */
export function headersToCarryOn(headers: MessagePropertyHeaders | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => !NOT_CARRIED_ON.test(name)));
}

export function failuresOf(headers: MessagePropertyHeaders | undefined): number {
  const failures: unknown = headers?.[HEADERS.failures];
  return typeof failures === 'number' && Number.isSafeInteger(failures) && failures > 0 ? failures : 0;
}

/**
 * Returns the deadline for a message that arrives now, on the clock of `performance.now()`. Clocks of different hosts
 * are never compared.
 */
export function deadlineOf(headers: MessagePropertyHeaders | undefined): number | undefined {
  const limitMs: unknown = headers?.[HEADERS.timeLimit];
  return typeof limitMs === 'number' ? performance.now() + limitMs : undefined;
}
