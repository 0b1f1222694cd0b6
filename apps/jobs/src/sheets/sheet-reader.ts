import { on } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { AppError } from '@switchboard/contracts';
import pLimit, { type LimitFunction } from 'p-limit';
import type { SheetPiece } from './read-sheet';
import type { SheetConfig } from './sheet-fields';
import type { SheetLimits } from './sheet-limits';
import { unreadable } from './sheet-refusal';
import type { WorkerInput, WorkerMessage } from './worker-messages';

const MIB = 1_048_576;
const YOUNG_HEAP_MB = 8;
const STACK_MB = 4;

export interface ReadOptions {
  /** Rows that the sheet may have. */
  rows: number;
  /** Ends the reading, and the waiting for a thread to read in. */
  signal: AbortSignal;
}

/** Reads spreadsheets in threads of their own, which are ended as soon as they take too long, too much, or nobody wants them any more. */
export class SheetReader {
  private readonly places: LimitFunction;

  constructor(
    private readonly workerUrl: URL,
    private readonly config: SheetConfig,
  ) {
    this.places = pLimit(config.SHEETS_AT_A_TIME);
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
      yield* this.readIn(this.start(await load(), limitsOf(this.config, rows)), signal);
    } finally {
      leave();
    }
  }

  /** Waits for a place. @returns gives it back */
  private enter(): Promise<() => void> {
    return new Promise((entered) => void this.places(() => new Promise<void>((leave) => entered(leave))));
  }

  private async *readIn(worker: Worker, signal: AbortSignal): AsyncGenerator<SheetPiece> {
    try {
      const messages = on(worker, 'message', { signal, close: ['exit'] }) as AsyncIterator<[WorkerMessage]>;
      let leftMs = this.config.SHEET_TIMEOUT_SECONDS * 1_000;
      for (;;) {
        const askedAt = performance.now();
        const message = await within(leftMs, messages.next());
        // What its reader does with a piece is not the file's fault.
        leftMs -= performance.now() - askedAt;
        if ('end' in message) return;
        if ('refusal' in message) throw new AppError(message.refusal.code, { message: message.refusal.message });
        yield message.piece;
        worker.postMessage('taken');
      }
    } catch (error) {
      throw signal.aborted ? signal.reason : refusalOf(error);
    } finally {
      // Before the place is free: a thread that is ending still holds its memory.
      await worker.terminate();
    }
  }

  private start(bytes: Uint8Array<ArrayBuffer>, limits: SheetLimits): Worker {
    return new Worker(this.workerUrl, {
      workerData: { bytes, limits } satisfies WorkerInput,
      transferList: [bytes.buffer],
      resourceLimits: { maxOldGenerationSizeMb: this.config.SHEET_HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB, stackSizeMb: STACK_MB },
      // It reads a stranger's file: neither settings nor secrets are its business.
      env: {},
    });
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
