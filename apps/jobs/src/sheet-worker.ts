import { parentPort } from 'node:worker_threads';
import { PIECES_AHEAD, type SheetToRead, type WorkerMessage, type WorkerOrder } from './sheets/worker-messages';
import { readSheet } from './sheets/read-sheet';
import { SheetRefusal } from './sheets/sheet-refusal';
import { currentThreadId } from './sheets/thread-clock';
import { lowerThreadPriority } from './sheets/thread-priority';

// Worker thread that reads one file after another. It is isolated, so that a harmful file affects only this thread
// (apps/jobs/src/sheets/sheet-threads.ts).
if (!parentPort) throw new Error('runs as a worker thread only');
const port = parentPort;
const threadId = currentThreadId();
// Lower the priority, because callers wait for other requests but not for files.
lowerThreadPriority(threadId);
const tell = (message: WorkerMessage): void => port.postMessage(message);

let allowed = 0;
let goOn: (() => void) | undefined;
port.on('message', (order: WorkerOrder) => {
  if (order !== 'taken') return void read(order.sheet);
  allowed += 1;
  goOn?.();
});

async function read({ bytes, limits }: SheetToRead): Promise<void> {
  allowed = PIECES_AHEAD;
  tell({ begun: { threadId } });
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
  }
}
