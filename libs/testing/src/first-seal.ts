import { createCipheriv, randomBytes } from 'node:crypto';
import { TEST_ENCRYPTION_KEY } from './logger';

/** Encrypts with the tests' key in the first format, which has no key id and no context. */
export function sealFirstVersion(plain: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(TEST_ENCRYPTION_KEY, 'base64'), nonce);
  const encrypted = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')}`;
}
