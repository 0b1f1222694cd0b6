import { createHmac, randomInt } from 'node:crypto';

const CODES = 10;
/** Crockford's base 32: excludes letters that look like digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 60 random bits. */
const CHARACTERS = 12;
const GROUP = 4;
const LOOKALIKES: Record<string, string> = { o: '0', i: '1', l: '1' };

/** Generates recovery codes in the form shown to users. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () =>
    Array.from(
      { length: CHARACTERS },
      (_, index) => `${index > 0 && index % GROUP === 0 ? '-' : ''}${ALPHABET.charAt(randomInt(ALPHABET.length))}`,
    ).join(''),
  );
}

/**
 * Returns the hash by which a recovery code is found. Its key is the secret of the user's second factor, which is
 * stored encrypted, so codes cannot be brute-forced from the table. The hashes stay valid when the encryption key
 * changes, since the secret is re-encrypted.
 * @param code as typed: in either case, with or without hyphens and spaces
 */
export function recoveryHash(secret: string, code: string): Buffer {
  const typed = code
    .toLowerCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll(/[oil]/g, (letter) => LOOKALIKES[letter] ?? letter);
  return createHmac('sha256', secret).update(`recovery code ${typed}`).digest();
}
