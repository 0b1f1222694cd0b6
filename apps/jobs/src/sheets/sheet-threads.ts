import { Worker } from 'node:worker_threads';

const YOUNG_HEAP_MB = 8;
const STACK_MB = 4;
/** How long a thread waits for its next file before its memory is given back. */
const KEPT_MS = 30_000;
/** After so many a thread ends: libraries keep what they have parsed, of hostile files more than of others. */
const FILES_PER_THREAD = 32;

/**
 * The threads that spreadsheets are read in. Starting one costs more than most files, so one whose file has come to its
 * end waits a while for the next; one whose file has not is ended, and takes all that the file did to it along.
 */
export class SheetThreads {
  private readonly waiting = new Map<Worker, NodeJS.Timeout>();
  private readonly filesOf = new WeakMap<Worker, number>();

  /**
   * @param url the thread's program
   * @param heapMb most memory of a thread, in MB
   */
  constructor(
    private readonly url: URL,
    private readonly heapMb: number,
  ) {}

  /** A thread without a file. Whoever takes it gives it back or terminates it. */
  take(): Worker {
    const [worker] = this.waiting.keys();
    if (!worker) return this.start();
    this.forget(worker);
    worker.ref();
    return worker;
  }

  /** Its file was read to the end, or refused. */
  giveBack(worker: Worker): void {
    worker.unref();
    const files = (this.filesOf.get(worker) ?? 0) + 1;
    if (files >= FILES_PER_THREAD) return void worker.terminate();
    this.filesOf.set(worker, files);
    this.waiting.set(worker, setTimeout(() => void worker.terminate(), KEPT_MS).unref());
  }

  private start(): Worker {
    const worker = new Worker(this.url, {
      resourceLimits: {
        maxOldGenerationSizeMb: this.heapMb,
        maxYoungGenerationSizeMb: YOUNG_HEAP_MB,
        stackSizeMb: STACK_MB,
      },
      // It reads strangers' files: neither settings nor secrets are its business.
      env: {},
    });
    worker.once('exit', () => this.forget(worker));
    // Whoever has taken it hears of it, too; while it waits, nobody does.
    worker.on('error', () => this.forget(worker));
    return worker;
  }

  private forget(worker: Worker): void {
    clearTimeout(this.waiting.get(worker));
    this.waiting.delete(worker);
  }
}
