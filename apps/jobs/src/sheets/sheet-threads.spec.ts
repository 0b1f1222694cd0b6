import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { SheetThreads } from './sheet-threads';

describe('SheetThreads', () => {
  const threads = new SheetThreads(
    new URL(
      'data:text/javascript,import{parentPort}from"worker_threads";parentPort.on("message",(message)=>{if(message==="break")throw new Error("broken");parentPort.postMessage(message)})',
    ),
    16,
  );
  const started: Worker[] = [];
  const take = (): Worker => {
    const thread = threads.take();
    started.push(thread);
    return thread;
  };

  afterAll(() => Promise.all(started.map((thread) => thread.terminate())));

  async function works(thread: Worker): Promise<boolean> {
    thread.postMessage('hello');
    const [answer] = (await once(thread, 'message')) as [unknown];
    return answer === 'hello';
  }

  it('reuses threads, one file at a time', async () => {
    const [first, second] = [take(), take()];
    expect(second).not.toBe(first);
    threads.release(first);
    expect(take()).toBe(first);
    expect(take()).not.toBe(first);
    expect(await works(first)).toBe(true);
  });

  it.each(['terminated', 'broken'])('does not reuse threads that were %s while waiting', async (how) => {
    const thread = take();
    threads.release(thread);
    if (how === 'broken') thread.postMessage('break');
    else void thread.terminate();
    await new Promise((resolve) => thread.once('exit', resolve));
    const next = take();
    expect(next).not.toBe(thread);
    expect(await works(next)).toBe(true);
  });
});
