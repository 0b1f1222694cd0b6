import { createCipheriv, randomBytes } from 'node:crypto';
import { deriveKey, inTransit, keyIdOf, SecretBox, type SecretPlace } from './secret-box';

const [first, second, third] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [
  string,
  string,
  string,
];
const place: SecretPlace = { table: 'endpoints', column: 'secret', row: 'ep_1' };
const box = new SecretBox({ ENCRYPTION_KEY: first });
const rotated = new SecretBox({ ENCRYPTION_KEY: second, ENCRYPTION_KEY_PREVIOUS: first });

/** Encrypts in the first format, which has no key id and no context. */
function sealFirstVersion(plain: string, key: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64'), nonce);
  const encrypted = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')}`;
}

describe('SecretBox', () => {
  it('decrypts its output and never produces the same bytes twice', () => {
    expect(box.open(box.seal('tökên', place), place)).toBe('tökên');
    expect(box.seal('token', place)).not.toBe(box.seal('token', place));
    expect(box.seal('token', place)).not.toContain('token');
  });

  it.each([
    ['table', { ...place, table: 'numbers' }],
    ['column', { ...place, column: 'verify_token' }],
    ['row', { ...place, row: 'ep_2' }],
    ['contract it travels in', inTransit({ name: 'webhooks.create-endpoint.v1' }, 'secret', 'ep_1')],
  ])('rejects a value that was moved to another %s', (_part, other) => {
    expect(() => box.open(box.seal('token', place), other)).toThrow();
  });

  it('distinguishes the parts of a context', () => {
    const sealed = box.seal('token', { table: 'a', column: 'b","c', row: 'd' });
    expect(() => box.open(sealed, { table: 'a', column: 'b', row: 'c","d' })).toThrow();
  });

  it('rejects modified, truncated and foreign input', () => {
    const sealed = box.seal('token', place);
    expect(() => box.open(`${sealed.slice(0, -2)}AA`, place)).toThrow();
    expect(() => box.open(sealed.slice(0, 20), place)).toThrow();
    for (const text of ['token', '', 'v2', 'v2..', 'v1.', `v3.${sealed.slice(3)}`])
      expect(() => box.open(text, place)).toThrow('not a sealed secret');
  });

  it('decrypts with the previous key and encrypts with the current one', () => {
    expect(rotated.open(box.seal('token', place), place)).toBe('token');
    const sealed = rotated.seal('token', place);
    expect(() => box.open(sealed, place)).toThrow(keyIdOf(second));
    expect(new SecretBox({ ENCRYPTION_KEY: second }).open(sealed, place)).toBe('token');
  });

  it('decrypts the first format with either configured key', () => {
    for (const key of [first, second]) expect(rotated.open(sealFirstVersion('token', key), place)).toBe('token');
    expect(() => rotated.open(sealFirstVersion('token', third), place)).toThrow('not set');
  });

  it('reports which key a value needs', () => {
    const states = [
      rotated.seal('a', place),
      box.seal('a', place),
      sealFirstVersion('a', first),
      new SecretBox({ ENCRYPTION_KEY: third }).seal('a', place),
      'a',
    ];
    expect(states.map((sealed) => rotated.stateOf(sealed))).toEqual([
      'current',
      'previous',
      'none',
      'unknown',
      'unknown',
    ]);
    expect(rotated.seal('a', place).startsWith(`v2.${rotated.keyId}.`)).toBe(true);
  });
});

it('derives a distinct, stable key for each purpose', () => {
  expect(deriveKey(first, 'a')).toEqual(deriveKey(first, 'a'));
  const keys = [deriveKey(first, 'a'), deriveKey(first, 'b'), deriveKey(second, 'a'), Buffer.from(first, 'base64')];
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(4);
});
