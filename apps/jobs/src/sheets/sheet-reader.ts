import { on } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import { FairLimiter } from '../jobs/fair-limiter';
import type { SheetPiece } from './read-sheet';
import type { SheetConfig } from './sheet-fields';
import type { SheetLimits } from './sheet-limits';
import { unreadable } from './sheet-refusal';
import { SheetThreads } from './sheet-threads';
import { ThreadClock } from './thread-clock';
import type { SheetToRead, WorkerMessage, WorkerOrder } from './worker-messages';

/** Injection token for the URL of the worker program (`sheet-worker.ts`). */
export const SHEET_WORKER_URL = Symbol('SHEET_WORKER_URL');

const MIB = 1_048_576;
/** Minimum interval between checks of a thread's processor time. */
const SHORTEST_LOOK_MS = 20;
/** Typical time until one of the account's files has been read. */
const RETRY_AFTER_SECONDS = 10;

export interface ReadOptions {
  accountId: string;
  /** Maximum number of rows in the sheet. */
  rows: number;
  /** Aborts the reading or the wait for a thread. */
  signal: AbortSignal;
}

/**
 * Reads spreadsheets in worker threads, which are terminated when they exceed their limits or the caller leaves. Reads
 * one file per account at a time, and alternates between accounts.
 */
@Injectable()
export class SheetReader {
  private readonly queue: FairLimiter;
  private readonly threads: SheetThreads;

  constructor(
    @Inject(SHEET_WORKER_URL) workerUrl: URL,
    @Inject(CONFIG) private readonly config: SheetConfig,
  ) {
    const full = { waiting: config.SHEETS_WAITING_PER_ACCOUNT, refusal: () => queueFull(config) };
    this.queue = new FairLimiter({ total: config.SHEETS_AT_A_TIME, perAccount: 1, full });
    this.threads = new SheetThreads(workerUrl, config.SHEET_HEAP_MB);
  }

  /**
   * Yields the header of a spreadsheet and then its rows, as the caller consumes them.
   * @param load returns the file, whose buffer is transferred to the thread; called only once a thread is free
   * @throws AppError FILE_INVALID or BULK_LIMIT_EXCEEDED, possibly after some rows; RATE_LIMITED when too many files of
   * the account wait; the signal's reason when it is aborted
   */
  async *read(
    load: () => Promise<Uint8Array<ArrayBuffer>>,
    { accountId, rows, signal }: ReadOptions,
  ): AsyncGenerator<SheetPiece> {
    const leave = await this.queue.enter(accountId, signal);
    try {
      const sheet = { bytes: await load(), limits: limitsOf(this.config, rows) };
      signal.throwIfAborted();
      yield* this.readIn(this.threads.take(), sheet, signal);
    } finally {
      leave();
    }
  }

  private async *readIn(worker: Worker, sheet: SheetToRead, signal: AbortSignal): AsyncGenerator<SheetPiece> {
    const messages = on(worker, 'message', { signal, close: ['exit'] }) as AsyncIterableIterator<[WorkerMessage]>;
    const tell = (order: WorkerOrder, transferred: ArrayBuffer[] = []): void => worker.postMessage(order, transferred);
    const limitMs = this.config.SHEET_TIMEOUT_SECONDS * 1_000;
    let clock: ThreadClock | undefined;
    let isAtItsEnd = false;
    try {
      tell({ sheet }, [sheet.bytes.buffer]);
      for (;;) {
        const message = await nextOf(messages, () => limitMs - (clock?.spentMs() ?? 0));
        if ('begun' in message) {
          clock = new ThreadClock(message.begun.threadId);
          continue;
        }
        isAtItsEnd = !('piece' in message);
        if ('end' in message) return;
        if ('refusal' in message) throw new AppError(message.refusal.code, { message: message.refusal.message });
        yield message.piece;
        tell('taken');
      }
    } catch (error) {
      throw signal.aborted ? signal.reason : refusalOf(error);
    } finally {
      await messages.return?.();
      if (isAtItsEnd) this.threads.release(worker);
      // Terminate before releasing the slot, because a terminating thread still holds its memory.
      else await worker.terminate();
    }
  }
}

/**
 * @param leftMs returns the remaining time limit of the thread
 * @throws AppError FILE_INVALID when no time is left and no message has arrived
 */
async function nextOf(messages: AsyncIterableIterator<[WorkerMessage]>, leftMs: () => number): Promise<WorkerMessage> {
  const next = messages.next();
  // After a timeout, no code awaits this promise.
  next.catch(() => undefined);
  const timer = new AbortController();
  try {
    for (;;) {
      const left = leftMs();
      const look = delay(Math.max(SHORTEST_LOOK_MS, left), undefined, { signal: timer.signal });
      look.catch(() => undefined);
      const result = await Promise.race([next, look]);
      if (result?.done) throw new Error('the thread that reads a spreadsheet ended without a message');
      if (result) return result.value[0];
      if (leftMs() <= 0) throw tooSlow();
    }
  } finally {
    timer.abort();
  }
}

/** Returns the error for a file that is rejected without being read, now or later. */
function queueFull({ SHEETS_WAITING_PER_ACCOUNT: waiting }: SheetConfig): AppError {
  const message = `rate limit exceeded: one spreadsheet of your account is being read and ${waiting} are waiting; send the next one when one of them was answered`;
  return new AppError('RATE_LIMITED', { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function tooSlow(): AppError {
  return new AppError('FILE_INVALID', { message: unreadable('it takes too long to read').message });
}

function refusalOf(error: unknown): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  return new AppError('FILE_INVALID', { message: unreadable('it takes too much memory').message, cause: error });
}

function limitsOf(config: SheetConfig, rows: number): SheetLimits {
  return {
    inflatedBytes: config.SHEET_INFLATED_MB * MIB,
    entries: config.SHEET_PARTS,
    ratio: config.SHEET_RATIO,
    rows,
    columns: config.SHEET_COLUMNS,
    cellCharacters: config.SHEET_CELL_CHARACTERS,
    sharedTextBytes: config.SHEET_SHARED_TEXT_MB * MIB,
  };
}
