import { AppError } from '@switchboard/contracts';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { requirePasswordLength } from './passwords';

/** Minimum score, from 0 to 4. It means at least 100 million guesses by an informed attacker. */
const MIN_SCORE = 3;
/**
 * Number of leading characters that are estimated. Later characters cannot weaken a strong start, and the estimate is
 * expensive for long texts.
 */
const JUDGED_CHARACTERS = 24;
/** Maximum number of letter substitutions such as `4` for `a`, each of which requires a search. */
const MAX_LETTER_SUBSTITUTIONS = 4;
const PRODUCT_NAME = 'switchboard';
/** Minimum length of a part of a name to look for. Shorter parts occur in too many good passwords. */
const MIN_PART_CHARACTERS = 3;
/** Minimum letters and digits besides the owner's words, since `2026!` after a name adds nothing. */
const MIN_OTHER_CHARACTERS = 8;
const MESSAGE =
  'the password is too easy to guess: use several words that have nothing to do with each other, or a password generator';
const MESSAGE_OWN =
  "the password must not be made of the user's name or e-mail address, or of the name of this service";

export interface PasswordOwner {
  email: string;
  name: string;
}

let estimator: ZxcvbnFactory | undefined;

/**
 * Rejects passwords that attackers try first: common ones with the usual additions and substitutions, sequences,
 * keyboard rows, and variants of the owner's e-mail address or name or the product's name. Applies only to new
 * passwords.
 * @throws AppError INVALID_VALUE, also for a password that is too short or too long
 */
export function requireStrongPassword(password: string, owner: PasswordOwner): void {
  requirePasswordLength(password);
  const words = ownWords(owner);
  if (charactersBeside(words, password) < MIN_OTHER_CHARACTERS) throw refused(MESSAGE_OWN);
  // Created on demand, since the dictionary has 50,000 passwords.
  estimator ??= new ZxcvbnFactory({
    dictionary,
    graphs: adjacencyGraphs,
    maxLength: JUDGED_CHARACTERS,
    l33tMaxSubstitutions: MAX_LETTER_SUBSTITUTIONS,
  });
  const typed = Array.from(password.normalize('NFKC')).slice(0, JUDGED_CHARACTERS).join('');
  const { score, sequence } = estimator.check(typed, words);
  if (score >= MIN_SCORE) return;
  throw refused(
    sequence.some((match) => 'dictionaryName' in match && match.dictionaryName === 'userInputs')
      ? MESSAGE_OWN
      : MESSAGE,
  );
}

/** Counts the letters and digits of a password besides the owner's words. */
function charactersBeside(words: string[], password: string): number {
  const longestFirst = [...words].sort((a, b) => b.length - a.length).map((word) => word.toLowerCase());
  const rest = longestFirst.reduce(
    (text, word) => text.replaceAll(word, ' '),
    password.normalize('NFKC').toLowerCase(),
  );
  return Array.from(rest.replaceAll(/[^\p{L}\p{N}]/gu, '')).length;
}

function refused(message: string): AppError {
  return new AppError('INVALID_VALUE', { message, details: [{ field: 'password', message }] });
}

/** Returns the owner's words, whole and in parts, for the case-insensitive estimate. */
function ownWords({ email, name }: PasswordOwner): string[] {
  const words = [email, name].flatMap((text) => [text, text.replaceAll(/\s/g, ''), ...text.split(/[^\p{L}\p{N}]+/u)]);
  return [PRODUCT_NAME, ...words.filter((word) => word.length >= MIN_PART_CHARACTERS)];
}
