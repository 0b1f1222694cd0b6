import { Worker } from 'node:worker_threads';

const YOUNG_HEAP_MB = 8;
const STACK_MB = 4;
/** Time that an idle thread waits for its next file before it is terminated to free its memory. */
const KEPT_MS = 30_000;
/** Maximum number of files per thread, because libraries cache what they parse, especially from hostile files. */
const FILES_PER_THREAD = 32;

/**
 * Pool of the threads that read spreadsheets. Starting a thread costs more than reading most files, so a thread that
 * has finished its file waits for another one. A thread that has not finished is terminated, together with all effects
 * of its file.
 */
export class SheetThreads {
  private readonly waiting = new Map<Worker, NodeJS.Timeout>();
  private readonly filesOf = new WeakMap<Worker, number>();

  /**
   * @param url the worker program
   * @param heapMb maximum heap of a thread, in MB
   */
  constructor(
    private readonly url: URL,
    private readonly heapMb: number,
  ) {}

  /** Returns an idle thread. The caller must release or terminate it. */
  take(): Worker {
    const [worker] = this.waiting.keys();
    if (!worker) return this.start();
    this.forget(worker);
    worker.ref();
    return worker;
  }

  /** Returns a thread to the pool after its file was fully read or rejected. */
  release(worker: Worker): void {
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
      // The thread reads untrusted files, so pass no settings or secrets.
      env: {},
    });
    worker.once('exit', () => this.forget(worker));
    // A reader handles the errors of its thread, but an idle thread has no reader.
    worker.on('error', () => this.forget(worker));
    return worker;
  }

  private forget(worker: Worker): void {
    clearTimeout(this.waiting.get(worker));
    this.waiting.delete(worker);
  }
}
