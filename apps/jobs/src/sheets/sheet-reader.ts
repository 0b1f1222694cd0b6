import { on } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { AppError } from '@switchboard/contracts';
import pLimit, { type LimitFunction } from 'p-limit';
import type { SheetPiece } from './read-sheet';
import type { SheetConfig } from './sheet-fields';
import type { SheetLimits } from './sheet-limits';
import { unreadable } from './sheet-refusal';
import { SheetThreads } from './sheet-threads';
import type { SheetToRead, WorkerMessage, WorkerOrder } from './worker-messages';

const MIB = 1_048_576;

export interface ReadOptions {
  /** Rows that the sheet may have. */
  rows: number;
  /** Ends the reading, and the waiting for a thread to read in. */
  signal: AbortSignal;
}

/** Reads spreadsheets in threads of their own, which are ended as soon as they take too long, too much, or nobody wants them any more. */
export class SheetReader {
  private readonly places: LimitFunction;
  private readonly threads: SheetThreads;

  /** @param workerUrl the program of a reading thread (`sheet-worker.ts`) */
  constructor(
    workerUrl: URL,
    private readonly config: SheetConfig,
  ) {
    this.places = pLimit(config.SHEETS_AT_A_TIME);
    this.threads = new SheetThreads(workerUrl, config.SHEET_HEAP_MB);
  }

  /**
   * The header of a sheet and then its rows, as they are taken.
   * @param load gives the file, which is handed over to the thread; not called before it can be read
   * @throws AppError FILE_INVALID or BULK_LIMIT_EXCEEDED when the file is refused, at once or in the middle; whatever the signal was aborted with
   */
  async *read(load: () => Promise<Uint8Array<ArrayBuffer>>, { rows, signal }: ReadOptions): AsyncGenerator<SheetPiece> {
    const leave = await this.enter();
    try {
      signal.throwIfAborted();
      const sheet = { bytes: await load(), limits: limitsOf(this.config, rows) };
      yield* this.readIn(this.threads.take(), sheet, signal);
    } finally {
      leave();
    }
  }

  /** Waits for a place. @returns gives it back */
  private enter(): Promise<() => void> {
    return new Promise((entered) => void this.places(() => new Promise<void>((leave) => entered(leave))));
  }

  private async *readIn(worker: Worker, sheet: SheetToRead, signal: AbortSignal): AsyncGenerator<SheetPiece> {
    const messages = on(worker, 'message', { signal, close: ['exit'] }) as AsyncIterableIterator<[WorkerMessage]>;
    const tell = (order: WorkerOrder, transferred: ArrayBuffer[] = []): void => worker.postMessage(order, transferred);
    let isAtItsEnd = false;
    try {
      tell({ sheet }, [sheet.bytes.buffer]);
      let leftMs = this.config.SHEET_TIMEOUT_SECONDS * 1_000;
      for (;;) {
        const askedAt = performance.now();
        const message = await within(leftMs, messages.next());
        // What its reader does with a piece is not the file's fault.
        leftMs -= performance.now() - askedAt;
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
      if (isAtItsEnd) this.threads.giveBack(worker);
      // Before the place is free: a thread that is ending still holds its memory.
      else await worker.terminate();
    }
  }
}

async function within(timeoutMs: number, next: Promise<IteratorResult<[WorkerMessage]>>): Promise<WorkerMessage> {
  const timer = new AbortController();
  try {
    const result = await Promise.race([next, delay(Math.max(0, timeoutMs), undefined, { signal: timer.signal })]);
    if (result === undefined) throw tooSlow();
    if (result.done) throw new Error('the thread that reads a spreadsheet ended without a word');
    return result.value[0];
  } finally {
    timer.abort();
  }
}

function tooSlow(): AppError {
  return new AppError('FILE_INVALID', { message: unreadable('it takes too long').message });
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
