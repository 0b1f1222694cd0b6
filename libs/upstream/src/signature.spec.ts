import { signCallback, verifyCallback } from './signature';

const SECRET = 'test_app_secret';
const VECTORS = [
  [
    '{"object":"whatsapp_business_account","entry":[]}',
    'dec6a680679a968e7e0319355b23599cbfc54502c0784668e9618baa0c633756',
  ],
  [
    String.raw`{"object":"whatsapp_business_account","entry":[{"t":"\u00f1 \/"}]}`,
    'e64793a7de8b1302a11ec1160b44ebe20ff0d93cca52e2f7bc126d892b151d8d',
  ],
] as const;

describe('callback signature', () => {
  it.each(VECTORS)('signs the bytes of %s as the platform does', (body, hex) => {
    expect(signCallback(Buffer.from(body), SECRET)).toBe(`sha256=${hex}`);
    expect(verifyCallback(Buffer.from(body), `sha256=${hex}`, SECRET)).toBe(true);
  });

  it('rejects a re-serialized body, because escapes are signed too', () => {
    const [body, hex] = VECTORS[1];
    expect(verifyCallback(JSON.stringify(JSON.parse(body)), `sha256=${hex}`, SECRET)).toBe(false);
  });

  it.each([
    undefined,
    '',
    'sha256=',
    VECTORS[0][1],
    `sha256=${VECTORS[0][1].toUpperCase()}`,
    `sha1=${VECTORS[0][1]}`,
    'ä'.repeat(71),
  ])('rejects the header %s', (header) => expect(verifyCallback(VECTORS[0][0], header, SECRET)).toBe(false));

  it('rejects a signature made with another secret', () => {
    expect(verifyCallback(VECTORS[0][0], `sha256=${VECTORS[0][1]}`, 'other')).toBe(false);
  });
});
