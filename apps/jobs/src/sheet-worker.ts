import { parentPort, workerData } from 'node:worker_threads';
import { PIECES_AHEAD, type WorkerInput, type WorkerMessage } from './sheets/worker-messages';
import { readSheet } from './sheets/read-sheet';
import { SheetRefusal } from './sheets/sheet-refusal';
import { lowerThreadPriority } from './sheets/thread-priority';

// A thread of its own for each file: what a file does to it, it does to nobody else (apps/jobs/src/sheets/sheet-reader.ts).
if (!parentPort) throw new Error('runs as a worker thread only');
const port = parentPort;
// Requests are waited for, files are not.
lowerThreadPriority();
const { bytes, limits } = workerData as WorkerInput;
const tell = (message: WorkerMessage): void => port.postMessage(message);

let allowed = PIECES_AHEAD;
let goOn: (() => void) | undefined;
port.on('message', () => {
  allowed += 1;
  goOn?.();
});

try {
  for await (const piece of readSheet(bytes, limits)) {
    while (allowed === 0) await new Promise<void>((resolve) => (goOn = resolve));
    allowed -= 1;
    tell({ piece });
  }
  tell({ end: true });
} catch (error) {
  if (!(error instanceof SheetRefusal)) throw error;
  tell({ refusal: { message: error.message, code: error.code } });
} finally {
  port.close();
}
