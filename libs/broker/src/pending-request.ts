import { AppError, type AppErrorBody, type CommandContract } from '@switchboard/contracts';
import { OPENED } from './wire';

/**
 * How long a command lies in its queue at most, in milliseconds. The broker never hands out a command that has waited
 * longer, and reports it to its caller, who then knows that nothing was done. A caller must have its refusal within two
 * seconds, and a queue that has lost its leader reports nothing until it has another one, up to 0.6 s later.
 */
export const TAKE_WITHIN_MS = 1_250;

/**
 * How long a caller waits for the confirm of a command that changes something, in milliseconds. A queue whose leader is
 * lost confirms when it has another one, and the command is carried out then: to give up sooner would leave its outcome
 * unknown. A command that changes nothing is given up when it expires.
 */
export const CONFIRM_WITHIN_MS = 5_000;
/** How long a command that changes nothing waits beyond its expiry, in milliseconds: the broker reports that itself. */
const EXPIRY_MARGIN_MS = 500;

/** A command that has no answer yet. */
export interface PendingRequest {
  id: string;
  command: CommandContract;
  /** How long the caller waits for the answer once the command is taken, in milliseconds. */
  timeoutMs: number;
  /** On the clock of `performance.now()`. */
  sentAt: number;
  /** The request as JSON. Dropped once the client cannot send it again: a pending request keeps 4 KB at most. */
  content?: string;
  headers?: Record<string, unknown>;
  /** Whether the request leaves encrypted, since it holds a secret. */
  isSecret: boolean;
  /** The group that it is under way in. */
  groupId?: string;
  /** The channel that it was published on, and whose loss leaves its outcome unknown. */
  channel?: object;
  /** A service has taken the command and may have begun: from then on only its answer says what was done. */
  isTaken: boolean;
  /** A process had taken the command when its group came back, so the next process does not know all that was done. */
  mayBeBegun: boolean;
  timer?: NodeJS.Timeout;
  resolve(reply: object): void;
  reject(error: Error): void;
}

/**
 * Whether the command may leave in a group. A group expires as one, so none of its commands may have less time than the
 * others; and none keeps the group's message unacknowledged for longer than its contract says.
 */
export function mayBeGrouped({ command, timeoutMs, isSecret }: PendingRequest): boolean {
  return command.grouped === true && !isSecret && timeoutMs >= TAKE_WITHIN_MS && timeoutMs <= command.timeoutMs;
}

/** How long the caller waits for the confirm of a command with so much time in its queue, in milliseconds. */
export function confirmWithin({ changes }: CommandContract, takeWithinMs: number): number {
  return changes ? CONFIRM_WITHIN_MS : takeWithinMs + EXPIRY_MARGIN_MS;
}

/** How much longer the command may lie in its queue, in milliseconds. */
export function takeWithin({ timeoutMs, sentAt }: PendingRequest): number {
  return Math.ceil(Math.min(TAKE_WITHIN_MS, timeoutMs) - (performance.now() - sentAt));
}

/**
 * The refusal that the caller gets. One process answers that nothing was done; that is the whole truth only if no other
 * process had taken the command before.
 */
export function trueRefusal({ command, mayBeBegun }: PendingRequest, body: AppErrorBody): AppError {
  const refusal = AppError.fromBody(body);
  const isKnown = refusal.code !== 'UNAVAILABLE' || !command.changes || !mayBeBegun;
  return isKnown ? refusal : new AppError('OUTCOME_UNKNOWN', { cause: refusal });
}

/**
 * Whether a process could not read the encrypted request, and has done nothing: one of an earlier version, or without a
 * key.
 */
export function isUnread({ isSecret }: PendingRequest, body: AppErrorBody & { [OPENED]?: boolean }): boolean {
  return isSecret && body.code === 'INVALID_PARAMETER' && body[OPENED] !== true;
}

/** The refusal of a command that no process will carry out: nothing was done, unless a lost process had taken it. */
export function notTaken(pending: PendingRequest, reason: string, cause?: unknown): AppError {
  if (pending.isTaken) return unanswered(pending, `the process that took it was lost, and ${reason}`);
  return new AppError('UNAVAILABLE', { cause: new Error(`${pending.command.name}: ${reason}`, { cause }) });
}

/** The refusal of a command that was sent and not answered. Its outcome is unknown, if it changes anything. */
export function unanswered({ command, isTaken }: PendingRequest, reason: string): AppError {
  const cause = new Error(`${command.name}: ${reason}${isTaken ? ', after it was taken' : ''}`);
  return new AppError(command.changes ? 'OUTCOME_UNKNOWN' : 'UNAVAILABLE', { cause });
}

/** @throws AppError PAYLOAD_TOO_LARGE when the request takes more than the contract allows */
export function checkSize({ maxBytes }: CommandContract, content: string): void {
  // A UTF-16 unit takes three bytes at most.
  if (content.length * 3 <= maxBytes || Buffer.byteLength(content) <= maxBytes) return;
  const message = `the request is too large: its content may take ${Math.floor(maxBytes / 1_024)} KB at most`;
  throw new AppError('PAYLOAD_TOO_LARGE', { message });
}
