import { AppError, type AppErrorBody, type CommandContract } from '@switchboard/contracts';
import { OPENED } from './wire';

/**
 * Maximum time of a command in its queue, in milliseconds. After that the broker reports the command to its caller as
 * expired, so the caller knows that nothing was done. Callers must get their error within two seconds, and a queue that
 * has lost its leader reports nothing until the next election, up to 0.6 s later.
 */
export const TAKE_WITHIN_MS = 1_250;

/**
 * Maximum wait for the confirm of a command that changes something, in milliseconds. A queue without a leader confirms
 * after the next election, and the command is then carried out, so giving up sooner would leave the outcome unknown. A
 * read-only command is abandoned when it expires.
 */
export const CONFIRM_WITHIN_MS = 5_000;
/**
 * Time that the caller of a read-only command waits past its expiry, in milliseconds. The broker usually reports the
 * expiry first.
 */
const EXPIRY_MARGIN_MS = 500;

/** Command that has no reply yet. */
export interface PendingRequest {
  id: string;
  command: CommandContract;
  /** Time that the caller waits for the reply once the command is accepted, in milliseconds. */
  timeoutMs: number;
  /** Time on the clock of `performance.now()`. */
  sentAt: number;
  /** Request as JSON. Cleared once the client cannot resend it, so that a pending request retains 4 KB at most. */
  content?: string;
  headers?: Record<string, unknown>;
  /** True when the request holds a secret and is sent encrypted. */
  isSecret: boolean;
  groupId?: string;
  /** Channel on which the command was published. If the channel is lost, the outcome is unknown. */
  channel?: object;
  /**
   * True once a service has accepted the command and may have started it. From then on only its reply reports what was
   * done.
   */
  isTaken: boolean;
  /**
   * True when a process had accepted the command before its group was returned. The next process then cannot know what
   * was already done.
   */
  mayBeBegun: boolean;
  timer?: NodeJS.Timeout;
  resolve(reply: object): void;
  reject(error: Error): void;
}

/**
 * Returns whether the command may be sent in a group. A group expires as a whole, so all its commands must have the
 * same time in the queue. None may keep the group's message unacknowledged for longer than its contract allows.
 */
export function mayBeGrouped({ command, timeoutMs, isSecret }: PendingRequest): boolean {
  return command.grouped === true && !isSecret && timeoutMs >= TAKE_WITHIN_MS && timeoutMs <= command.timeoutMs;
}

/** Returns how long the caller waits for the confirm of a command with this time in its queue, in milliseconds. */
export function confirmWithin({ changes }: CommandContract, takeWithinMs: number): number {
  return changes ? CONFIRM_WITHIN_MS : takeWithinMs + EXPIRY_MARGIN_MS;
}

/** Returns the remaining time of the command in its queue, in milliseconds. */
export function takeWithin({ timeoutMs, sentAt }: PendingRequest): number {
  return Math.ceil(Math.min(TAKE_WITHIN_MS, timeoutMs) - (performance.now() - sentAt));
}

/**
 * Returns the error for the caller. A process that replies "nothing was done" knows only about itself, so the outcome
 * is unknown if another process had accepted the command before.
 */
export function trueRefusal({ command, mayBeBegun }: PendingRequest, body: AppErrorBody): AppError {
  const refusal = AppError.fromBody(body);
  const isKnown = refusal.code !== 'UNAVAILABLE' || !command.changes || !mayBeBegun;
  return isKnown ? refusal : new AppError('OUTCOME_UNKNOWN', { cause: refusal });
}

/**
 * Returns whether a process could not decrypt the request, because it runs an earlier version or has no key, and
 * therefore did nothing.
 */
export function isUnread({ isSecret }: PendingRequest, body: AppErrorBody & { [OPENED]?: boolean }): boolean {
  return isSecret && body.code === 'INVALID_PARAMETER' && body[OPENED] !== true;
}

/**
 * Returns the error of a command that no process will execute. Nothing was done, unless a lost process had accepted the
 * command.
 */
export function notTaken(pending: PendingRequest, reason: string, cause?: unknown): AppError {
  if (pending.isTaken) return unanswered(pending, `the process that took it was lost, and ${reason}`);
  return new AppError('UNAVAILABLE', { cause: new Error(`${pending.command.name}: ${reason}`, { cause }) });
}

/**
 * Returns the error of a command that was sent but got no reply. The outcome of a command that changes something is
 * unknown.
 */
export function unanswered({ command, isTaken }: PendingRequest, reason: string): AppError {
  const cause = new Error(`${command.name}: ${reason}${isTaken ? ', after it was taken' : ''}`);
  return new AppError(command.changes ? 'OUTCOME_UNKNOWN' : 'UNAVAILABLE', { cause });
}

/** @throws AppError PAYLOAD_TOO_LARGE when the request exceeds the contract's limit */
export function checkSize({ maxBytes }: CommandContract, content: string): void {
  // A UTF-16 unit takes three bytes at most.
  if (content.length * 3 <= maxBytes || Buffer.byteLength(content) <= maxBytes) return;
  const message = `the request is too large: its content may take ${Math.floor(maxBytes / 1_024)} KB at most`;
  throw new AppError('PAYLOAD_TOO_LARGE', { message });
}
