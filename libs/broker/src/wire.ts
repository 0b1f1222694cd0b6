import type { MessagePropertyHeaders } from 'amqplib';

/**
 * Our own headers. Failures are counted here and nowhere else: the broker's counts differ between versions and can be
 * forged.
 */
export const HEADERS = {
  failures: 'x-failures',
  /** Of a command: how long the caller waits for the answer once it is taken, in milliseconds. */
  timeLimit: 'x-time-limit-ms',
  /** Of a command: its caller also reads `TAKEN_NOTES` and `REPLIES`, which callers of earlier versions do not. */
  readsGroups: 'x-reads-groups',
  /** Of a command: its content is an encrypted request (`RequestBox`). */
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
 * The member of an error reply by which a process says that it has read an encrypted request. A process of an earlier
 * version, or without a key, takes the request for an invalid one, and cannot say so.
 */
export const OPENED = 'isOpened';
/** The `type` property of the empty reply that precedes the answer to a command that changes something. */
export const TAKEN_NOTE = 'taken';
/** The `type` property of such notes together: a list of the commands' ids. */
export const TAKEN_NOTES = 'taken-notes';
/** The `type` property of replies together (`groupedReplies`). */
export const REPLIES = 'replies';

/** One of the replies of a group, as it is read. */
export interface GroupedReply {
  /** The id of the command. */
  id: string;
  type?: typeof ERROR_REPLY;
  body: object;
}

/** The content of a message with several replies, each of which is JSON already. */
export function groupedReplies(replies: readonly { id: string; type?: string; content: string }[]): string {
  const items = replies.map(
    ({ id, type, content }) =>
      `{"id":${JSON.stringify(id)},${type === undefined ? '' : `"type":${JSON.stringify(type)},`}"body":${content}}`,
  );
  return `[${items.join(',')}]`;
}

/** The `type` property of commands together: a list of `GroupedCommand`. */
export const COMMANDS = 'commands';
/** The `type` property of the empty reply that gives such a message back to its caller. */
export const GROUP_RETURNED = 'group-returned';

/** One of the commands of a group, as it is read. */
export interface GroupedCommand {
  id: string;
  headers?: MessagePropertyHeaders;
  /** Its request, which nobody has checked. */
  body: unknown;
}

/** One of the commands of a group as JSON. @param command.content its request, which is JSON already */
export function groupedCommand(command: { id: string; headers?: MessagePropertyHeaders; content?: string }): string {
  const { id, headers = {}, content = 'null' } = command;
  return `{"id":${JSON.stringify(id)},"headers":${JSON.stringify(headers)},"body":${content}}`;
}

/** What the broker adds on its way, and what belongs to one stay in the dead letters. */
const NOT_CARRIED_ON =
  /^(x-(death|(first|last)-death-.*|delivery-count|acquired-count|reason|failed-at|original-.*)|CC|BCC)$/;

/** The headers with which a message is published again. */
export function headersToCarryOn(headers: MessagePropertyHeaders | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => !NOT_CARRIED_ON.test(name)));
}

export function failuresOf(headers: MessagePropertyHeaders | undefined): number {
  const failures: unknown = headers?.[HEADERS.failures];
  return typeof failures === 'number' && Number.isSafeInteger(failures) && failures > 0 ? failures : 0;
}

/**
 * When the work on a message that arrives now must have ended, on the clock of `performance.now()`: clocks of hosts are
 * not compared.
 */
export function deadlineOf(headers: MessagePropertyHeaders | undefined): number | undefined {
  const limitMs: unknown = headers?.[HEADERS.timeLimit];
  return typeof limitMs === 'number' ? performance.now() + limitMs : undefined;
}
