import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { ERRORS } from './errors';

/** Phone number of 8 to 15 ASCII digits, without a leading zero or plus (spec §1.4.1). */
export const PHONE_PATTERN = /^[1-9][0-9]{7,14}$/;

export function isPhone(text: string): boolean {
  return PHONE_PATTERN.test(text);
}

/**
 * Upstream id of a contact, specific to one business: the country of the phone number, then letters or digits. An infix
 * `ENT.` marks an id that several businesses share.
 */
export const USER_ID_PATTERN = /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/;

/** Checks for an upstream user id, which identifies a contact with a hidden number (spec §3.12). */
export function isUserId(text: string): boolean {
  return USER_ID_PATTERN.test(text);
}

/** Checks for a user id that several businesses of a portfolio share. */
export function isParentUserId(text: string): boolean {
  return isUserId(text) && text.includes('.ENT.');
}

/** Checks for a valid recipient: phone number or user id. */
export function isRecipient(text: string): boolean {
  return isPhone(text) || isUserId(text);
}

/** Maximum length of a phone number in any format. */
const LONGEST_WRITTEN = 40;
const USER_ID_REFUSED = 'this is a user id, and this call needs a phone number';
/** Phone number with separators between its digits. */
const WRITTEN = /^\+?[0-9(][0-9\s().\/\u2010-\u2015-]*$/u;
/** Whole number in decimal notation, as spreadsheets write it. */
const DECIMAL = /^(\+?[0-9]+)\.0+$/;
/** Text whose only dot has fewer than four characters after it, so that the dot may be a decimal point. */
const SINGLE_DOT = /^[^.]*\.[^.]{0,3}$/;

/**
 * Describes why a phone number is invalid: the expected format and, if possible, the number that was probably meant
 * (spec §1.4.4). The message repeats only digits of the text.
 */
export function phoneFault(text: string): string {
  if (isUserId(text)) return `${ERRORS.INVALID_PHONE.message}: ${USER_ID_REFUSED}`;
  const wanted = `${ERRORS.INVALID_PHONE.message}: digits only, with country code, without +`;
  const guess = text.length > LONGEST_WRITTEN ? undefined : guessOf(text.trim());
  return guess === undefined ? wanted : `${wanted}; did you mean ${guess}?`;
}

/**
 * Guesses the intended number.
 * @returns undefined if the text is ambiguous, since a wrong guess could be another contact's number
 */
function guessOf(text: string): string | undefined {
  const [, whole] = DECIMAL.exec(text) ?? [];
  const written = (whole ?? text).replace(/^00/, '+');
  if (!WRITTEN.test(written) || (whole === undefined && SINGLE_DOT.test(written))) return undefined;
  const digits = written.replace(/\D/g, '');
  const parsed = parsePhoneNumberFromString(`+${digits}`);
  // Drops the trunk prefix, which some write as (0).
  const number = parsed?.number.slice(1) ?? '';
  if (parsed?.isValid() && isPhone(number)) return number;
  if (!isPhone(digits)) return undefined;
  if (phoneSpellings(digits).some((spelling) => parsePhoneNumberFromString(`+${spelling}`)?.isValid())) return digits;
  const isInternational = whole !== undefined || /^\+[0-9\s-]+$/.test(text);
  return isInternational && number === digits && parsed?.isPossible() ? digits : undefined;
}

/**
 * Countries whose mobile numbers the upstream platform reports with or without an extra digit: 9 in Brazil (before 8
 * digits that start with 6 to 9), 1 in Mexico, 9 in Argentina. The patterns capture the country and area code, and the
 * rest.
 */
const SPELLINGS: readonly { pattern: RegExp; digit: string }[] = [
  { pattern: /^(55[1-9][0-9])9?([6-9][0-9]{7})$/, digit: '9' },
  { pattern: /^(52)1?([0-9]{10})$/, digit: '1' },
  { pattern: /^(54)9?([0-9]{10})$/, digit: '9' },
];

/**
 * Returns all formats in which records may have a phone number, the canonical one first: without and with the extra
 * digit. Most numbers have one format.
 */
export function phoneSpellings(phone: string): [string, ...string[]] {
  for (const { pattern, digit } of SPELLINGS) {
    const [, area, rest] = pattern.exec(phone) ?? [];
    if (area !== undefined && rest !== undefined) return [`${area}${rest}`, `${area}${digit}${rest}`];
  }
  return [phone];
}

/**
 * Returns one format for all equivalent formats of a phone number. Use it only for comparing, counting and locking:
 * numbers are stored and sent as the caller wrote them.
 * @param phone digits only, starting with the country code; other text is returned unchanged
 */
export function canonicalPhone(phone: string): string {
  return phoneSpellings(phone)[0];
}

/**
 * Returns the phone number of a message's other party; null if the party is identified by a user id.
 * @param person digits, or a user id, which contains letters and a dot
 */
export function phoneOfPerson(person: string): string | null {
  return /^[0-9]+$/.test(person) ? person : null;
}

/** Masks a phone number for logs; only the last four digits stay readable. */
export function maskPhone(phone: string): string {
  return `…${phone.slice(-4)}`;
}
