import { randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '@switchboard/contracts';

const MIN_CHARACTERS = 12;
/** Longer ones are as good as this, and cost us more. */
const MAX_CHARACTERS = 256;
/** argon2id (2) with 19 MiB and two passes: what OWASP recommends for a server that must answer others meanwhile. */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Without the characters that look alike. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/** 20 characters of these are 115 random bits. */
const GENERATED_CHARACTERS = 20;

/**
 * The hash of a password, with salt and cost in it.
 * @throws AppError INVALID_VALUE when the password is too short or too long
 */
export function hashPassword(password: string): Promise<string> {
  requirePasswordLength(password);
  return hash(typed(password), ARGON2ID);
}

/** @throws AppError INVALID_VALUE when the password is too short or too long */
export function requirePasswordLength(password: string): void {
  const { length } = Array.from(password);
  if (length < MIN_CHARACTERS || length > MAX_CHARACTERS) {
    const message = `a password has ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters`;
    throw new AppError('INVALID_VALUE', { message, details: [{ field: 'password', message }] });
  }
}

/** Whether the password is the one of the hash; takes as long for one that is not. */
export async function isPassword(password: string, passwordHash: string): Promise<boolean> {
  // The hash is made all the same: a refusal in no time would tell that this was not worth comparing.
  const isSensible = password.length <= 2 * MAX_CHARACTERS;
  return (await verify(passwordHash, typed(isSensible ? password : ''))) && isSensible;
}

/** A new random password. */
export function generatePassword(): string {
  return Array.from({ length: GENERATED_CHARACTERS }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}

/** Keyboards differ in how they compose the same character. */
function typed(password: string): string {
  return password.normalize('NFKC');
}
