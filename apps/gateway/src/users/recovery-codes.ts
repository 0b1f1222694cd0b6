import { createHmac, randomInt } from 'node:crypto';

const CODES = 10;
/** Crockford's: without letters that look like digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 60 random bits. */
const CHARACTERS = 12;
const GROUP = 4;
const LOOKALIKES: Record<string, string> = { o: '0', i: '1', l: '1' };

/** New recovery codes, as they are shown. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () =>
    Array.from(
      { length: CHARACTERS },
      (_, index) => `${index > 0 && index % GROUP === 0 ? '-' : ''}${ALPHABET.charAt(randomInt(ALPHABET.length))}`,
    ).join(''),
  );
}

/**
 * What a recovery code is found by. The key is the secret of the user's second factor, which is stored sealed: nobody
 * who reads the table can try codes, and the hashes outlive a change of the encryption key, as the secret is sealed
 * anew.
 * @param code as it was typed: in either case, with or without hyphens and spaces
 */
export function recoveryHash(secret: string, code: string): Buffer {
  const typed = code
    .toLowerCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll(/[oil]/g, (letter) => LOOKALIKES[letter] ?? letter);
  return createHmac('sha256', secret).update(`recovery code ${typed}`).digest();
}
