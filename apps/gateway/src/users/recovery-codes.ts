import { createHmac, randomInt } from 'node:crypto';

const CODES = 10;
/** Crockford's base 32, which excludes letters that look like digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** Length of a code: 60 random bits. */
const CHARACTERS = 12;
const GROUP = 4;
const LOOKALIKES: Record<string, string> = { o: '0', i: '1', l: '1' };

/** Generates recovery codes in the format shown to users. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () =>
    Array.from(
      { length: CHARACTERS },
      (_, index) => `${index > 0 && index % GROUP === 0 ? '-' : ''}${ALPHABET.charAt(randomInt(ALPHABET.length))}`,
    ).join(''),
  );
}

/**
 * Returns the hash for looking up a recovery code. The hash is keyed with the secret of the user's second factor, which
 * is stored encrypted, so that codes cannot be brute-forced from the table. Hashes remain valid when the encryption key
 * changes, since the secret itself stays the same.
 * @param code code as typed, in upper or lower case, with or without hyphens and spaces
 */
export function recoveryHash(secret: string, code: string): Buffer {
  const typed = code
    .toLowerCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll(/[oil]/g, (letter) => LOOKALIKES[letter] ?? letter);
  return createHmac('sha256', secret).update(`recovery code ${typed}`).digest();
}
