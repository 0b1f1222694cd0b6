// @ts-check
import { mustRun } from '../lib/run.mjs';

describe('a program that takes too long', () => {
  it('is stopped, and the last line of the failure says so', async () => {
    const script = "console.log('begun'); setInterval(() => {}, 1000)";
    await expect(mustRun(process.execPath, ['-e', script], { timeoutMs: 1500 })).rejects.toThrow(
      /ended with 124:\n[^]*It took longer than 1\.5 seconds and was stopped\.$/,
    );
  });
});
