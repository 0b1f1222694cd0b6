// @ts-check
import { mustRun } from '../lib/run.mjs';

describe('a program that exceeds its timeout', () => {
  it('is stopped, and its output ends with the timeout', async () => {
    const script = "console.log('begun'); setInterval(() => {}, 1000)";
    await expect(mustRun(process.execPath, ['-e', script], { timeoutMs: 1500 })).rejects.toThrow(
      /ended with 124:\n[^]*It took longer than 1\.5 seconds and was stopped\.$/,
    );
  });
});
