import { judge } from './signatures';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** Example of the Standard Webhooks specification. */
const standard = {
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  body: Buffer.from('{"test": 2432232314}'),
};
/** Test vector of RFC 4231, 4.3. */
const plain = {
  headers: { 'x-service-signature': 'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843' },
  body: Buffer.from('what do ya want for nothing?'),
};

describe('request signatures', () => {
  it('accept the example of Standard Webhooks', () => {
    expect(judge(standard, SECRET)).toEqual({
      verdict: 'valid',
      signatures: [{ header: 'webhook-signature', isValid: true }],
    });
    for (const wrong of ['whsec_AAAA', `${SECRET}x`, `${SECRET}!`, 'whsec_'])
      expect(judge(standard, wrong).verdict).toBe('invalid');
  });

  it('accept the RFC 4231 vector for the body alone', () => {
    expect(judge(plain, 'Jefe').verdict).toBe('valid');
    expect(judge(plain, 'jefe').verdict).toBe('invalid');
    expect(judge({ ...plain, body: Buffer.from('what do ya want for nothing!') }, 'Jefe').verdict).toBe('invalid');
  });

  it('are valid if one of several matches during a secret rotation', () => {
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

  it('cannot be valid without a secret and a header', () => {
    expect(judge(plain, '')).toEqual({ verdict: 'no secret given', signatures: [] });
    expect(judge({ ...plain, headers: {} }, 'Jefe')).toEqual({ verdict: 'unsigned', signatures: [] });
  });
});
