import { Readable } from 'node:stream';
import { runCli } from './run';

const HOSTILE = 'x\u001b]0;owned\u0007 \u009b31m \u202e';
const ESCAPED = String.raw`x\u001b]0;owned\u0007 \u009b31m \u202e`;

describe('operator command output', () => {
  it.each([{ options: [] }, { options: ['--json'] }])('escapes control characters ($options)', async ({ options }) => {
    const printed = { out: '', err: '' };
    const code = await runCli([HOSTILE, ...options], {
      settings: { problems: [] },
      actor: 'cli:tester',
      out: (text) => (printed.out += text),
      err: (text) => (printed.err += text),
      input: Readable.from([]),
      apiRoutes: () => [],
      untilEnded: () => AbortSignal.abort(),
    });
    expect([code, printed.out]).toEqual([1, '']);
    expect(printed.err).toContain(ESCAPED);
    expect(printed.err).not.toMatch(/[\u001b\u0007\u009b\u202e]/);
  });
});
