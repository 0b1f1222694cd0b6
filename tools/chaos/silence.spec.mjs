import { judgeSilence, RECOVERY_LIMIT_MS } from './silence.mjs';

const FROM = 1_000_000;
const silence = { kinds: ['send'], from: FROM, to: FROM + 15_000 };
const answer = (startedMs, status, durationMs = 20) => ({
  kind: 'send',
  status,
  startedAt: FROM + startedMs,
  durationMs,
});
const good = answer(RECOVERY_LIMIT_MS + 100, 200);

describe('judgeSilence', () => {
  it('allows 502, 503 and 504 in the first seconds', () => {
    const answers = [answer(-10, 504, 4_000), answer(100, 503, 1_700), answer(4_200, 200), good];
    expect(judgeSilence(answers, silence)).toEqual({ met: 2, lastMs: { send: 100 }, problems: [] });
  });

  it('requires successful responses after ten seconds', () => {
    const { problems } = judgeSilence([good, answer(RECOVERY_LIMIT_MS + 1, 503)], silence);
    expect(problems).toEqual(['a send that began 10001 ms into it was answered 503']);
  });

  it('requires successful responses of each kind after ten seconds', () => {
    const { problems } = judgeSilence([good], { ...silence, kinds: ['send', 'code'] });
    expect(problems).toEqual(['no code was carried out after 10000 ms']);
  });

  it('reports internal errors and missing responses', () => {
    const { problems } = judgeSilence([answer(10, 500), answer(20, 0), good], silence);
    expect(problems).toEqual(['a send was answered 500', 'a send was answered nothing']);
  });

  it('ignores requests that started after the silence', () => {
    expect(judgeSilence([good, answer(15_000, 503)], silence).met).toBe(0);
  });
});
