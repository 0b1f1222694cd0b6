import { AppError, type AppErrorBody, type CommandContract } from '@switchboard/contracts';

/**
 * How long a command lies in its queue at most, in milliseconds. The broker never hands out a command that has waited
 * longer, and reports it to its caller, who then knows that nothing was done. A caller must have its refusal within two
 * seconds.
 */
export const TAKE_WITHIN_MS = 1_500;

/** A command that has no answer yet. */
export interface PendingRequest {
  id: string;
  command: CommandContract;
  /** How long the caller waits for the answer once the command is taken, in milliseconds. */
  timeoutMs: number;
  /** On the clock of `performance.now()`. */
  sentAt: number;
  /** What is sent; forgotten as soon as it cannot be sent again. */
  content?: string;
  headers?: Record<string, unknown>;
  /** The group that it is under way in. */
  groupId?: string;
  /** A service has taken the command and may have begun: from then on only its answer says what was done. */
  isTaken: boolean;
  /** A process had taken it when its group came back: what the next process says is not all that may have been done. */
  mayBeBegun: boolean;
  timer?: NodeJS.Timeout;
  resolve(reply: object): void;
  reject(error: Error): void;
}

/**
 * A group expires as one, so none of its commands may have less time than the others; and none keeps the group's
 * message unacknowledged for longer than its contract says.
 */
export function mayBeGrouped({ command, timeoutMs }: PendingRequest): boolean {
  return command.grouped === true && timeoutMs >= TAKE_WITHIN_MS && timeoutMs <= command.timeoutMs;
}

/** What is left of the time that the command may lie in its queue, in milliseconds. */
export function takeWithin({ timeoutMs, sentAt }: PendingRequest): number {
  return Math.ceil(Math.min(TAKE_WITHIN_MS, timeoutMs) - (performance.now() - sentAt));
}

/** What a service answered that did not do it, as far as it is true of all processes that had the command. */
export function trueRefusal({ command, mayBeBegun }: PendingRequest, body: AppErrorBody): AppError {
  const refusal = AppError.fromBody(body);
  const isKnown = refusal.code !== 'UNAVAILABLE' || !command.changes || !mayBeBegun;
  return isKnown ? refusal : new AppError('OUTCOME_UNKNOWN', { cause: refusal });
}

/** Nobody carries it out any more: certainly nothing was done, unless a process that was lost had taken it. */
export function notTaken(pending: PendingRequest, reason: string, cause?: unknown): AppError {
  if (pending.isTaken) return unanswered(pending, `the process that took it was lost, and ${reason}`);
  return new AppError('UNAVAILABLE', { cause: new Error(`${pending.command.name}: ${reason}`, { cause }) });
}

/** It was sent, so it may be carried out: nobody knows. Of what changes nothing, nobody needs to know. */
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
