import { judge } from './signatures';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** The example of the Standard Webhooks specification. */
const standard = {
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  body: Buffer.from('{"test": 2432232314}'),
};
/** The test vector of RFC 4231, 4.3. */
const plain = {
  headers: { 'x-service-signature': 'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843' },
  body: Buffer.from('what do ya want for nothing?'),
};

describe('the signature of a request', () => {
  it('of Standard Webhooks is judged by its example', () => {
    expect(judge(standard, SECRET)).toEqual({
      verdict: 'valid',
      signatures: [{ header: 'webhook-signature', isValid: true }],
    });
    for (const wrong of ['whsec_AAAA', `${SECRET}x`, `${SECRET}!`, 'whsec_'])
      expect(judge(standard, wrong).verdict).toBe('invalid');
  });

  it('of the body alone is judged by the vector of its standard', () => {
    expect(judge(plain, 'Jefe').verdict).toBe('valid');
    expect(judge(plain, 'jefe').verdict).toBe('invalid');
    expect(judge({ ...plain, body: Buffer.from('what do ya want for nothing!') }, 'Jefe').verdict).toBe('invalid');
  });

  it('is good when one of several fits, as while a secret is replaced', () => {
    const both = { ...standard, headers: { ...standard.headers, ...plain.headers } };
    expect(judge(both, SECRET)).toEqual({
      verdict: 'valid',
      signatures: [
        { header: 'x-service-signature', isValid: false },
        { header: 'webhook-signature', isValid: true },
      ],
    });
    const several = { ...standard.headers, 'webhook-signature': `v1,AAAA ${standard.headers['webhook-signature']}` };
    expect(judge({ ...standard, headers: several }, SECRET).verdict).toBe('valid');
  });

  it('needs a secret, and a header', () => {
    expect(judge(plain, '')).toEqual({ verdict: 'no secret given', signatures: [] });
    expect(judge({ ...plain, headers: {} }, 'Jefe')).toEqual({ verdict: 'unsigned', signatures: [] });
  });
});
