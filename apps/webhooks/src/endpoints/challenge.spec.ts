import type { CallOutcome } from '../customer-http/customer-http';
import { challengeFailure, challengeUrl } from './challenge';

const answered = (text: string): CallOutcome => ({
  errorClass: null,
  reason: '',
  statusCode: 200,
  answer: Buffer.from(text),
  durationMs: 1,
});

describe('endpoint challenge', () => {
  it("adds its parameters and keeps the URL's query", () => {
    const url = challengeUrl(new URL('https://example.com/hook?tenant=a%20b'), 'tok en&', 'c1');
    expect(url.toString()).toBe(
      'https://example.com/hook?tenant=a%20b&hub.mode=subscribe&hub.verify_token=tok+en%26&hub.challenge=c1',
    );
  });

  it('passes when the trimmed body equals the challenge', () => {
    expect(challengeFailure(answered(' c1\r\n'), 'c1')).toBeUndefined();
  });

  it.each(['c2', '"c1"', 'c1 c1'])('fails when the body is %j, and shows the body', (body) => {
    expect(challengeFailure(answered(body), 'c1')).toBe(
      `the endpoint answered 200, but its body is not the value of hub.challenge: it begins with ${JSON.stringify(body)}`,
    );
  });

  it('fails on an empty body and truncates a long body', () => {
    expect(challengeFailure(answered(' '), 'c1')).toMatch(/: it is empty$/);
    expect(challengeFailure(answered('<'.repeat(1_000)), 'c1')).toMatch(/: it begins with "<{80}"$/);
  });

  it('reports why the request failed', () => {
    const refused: CallOutcome = {
      ...answered('c1'),
      errorClass: 'status',
      reason: 'the endpoint answered 403',
      statusCode: 403,
    };
    expect(challengeFailure(refused, 'c1')).toBe('the endpoint answered 403');
  });
});
