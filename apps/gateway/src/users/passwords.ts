import { randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '@switchboard/contracts';

const MIN_CHARACTERS = 12;
/** Maximum length. Longer passwords would cost time without adding security. */
const MAX_CHARACTERS = 256;
/** Parameters of argon2id (algorithm 2): 19 MiB and two passes, as OWASP recommends for servers under load. */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Alphabet without characters that look alike. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/** Length of a generated password: 20 characters have 115 random bits. */
const GENERATED_CHARACTERS = 20;

/**
 * Hashes a password. The result includes the salt and cost parameters.
 * @throws AppError INVALID_VALUE if the password is too short or too long
 */
export function hashPassword(password: string): Promise<string> {
  requirePasswordLength(password);
  return hash(typed(password), ARGON2ID);
}

/** @throws AppError INVALID_VALUE if the password is too short or too long */
export function requirePasswordLength(password: string): void {
  const { length } = Array.from(password);
  if (length < MIN_CHARACTERS || length > MAX_CHARACTERS) {
    const message = `a password has ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters`;
    throw new AppError('INVALID_VALUE', { message, details: [{ field: 'password', message }] });
  }
}

/** Compares a password with a hash in constant time. */
export async function isPassword(password: string, passwordHash: string): Promise<boolean> {
  // Always hashes, because a fast rejection would reveal that the password was not compared.
  const isSensible = password.length <= 2 * MAX_CHARACTERS;
  return (await verify(passwordHash, typed(isSensible ? password : ''))) && isSensible;
}

export function generatePassword(): string {
  return Array.from({ length: GENERATED_CHARACTERS }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}

/** Normalizes Unicode, since keyboards compose the same character differently. */
function typed(password: string): string {
  return password.normalize('NFKC');
}
