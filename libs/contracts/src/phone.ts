import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { ERRORS } from './errors';

/** 8 to 15 ASCII digits, the first one 1-9, no plus (spec §1.4.1). */
export const PHONE_PATTERN = /^[1-9][0-9]{7,14}$/;

/** Whether the text is a phone number as the API writes it: E.164 without the plus. */
export function isPhone(text: string): boolean {
  return PHONE_PATTERN.test(text);
}

/**
 * The upstream platform's id of a person for one business: the country of their phone and letters or digits. Between
 * them stands `ENT.` where several businesses share it.
 */
export const USER_ID_PATTERN = /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/;

/** Whether the text is a user id, by which people are written to whose number is hidden (spec §3.12). */
export function isUserId(text: string): boolean {
  return USER_ID_PATTERN.test(text);
}

/** Whether the text names a person to whom a single send may go: a phone number or a user id. */
export function isRecipient(text: string): boolean {
  return isPhone(text) || isUserId(text);
}

/** Longer texts are no number that somebody wrote in another form. */
const LONGEST_WRITTEN = 40;
const USER_ID_REFUSED = 'this is a user id, and this call needs a phone number';
/** A number with what people write between its digits. */
const WRITTEN = /^\+?[0-9(][0-9\s().\/\u2010-\u2015-]*$/u;
/** A whole number as programs write it that take it for a decimal one. */
const DECIMAL = /^(\+?[0-9]+)\.0+$/;
/** A single dot before fewer digits may be a decimal point. */
const SINGLE_DOT = /^[^.]*\.[^.]{0,3}$/;

/**
 * Describes the fault of a phone number in a form that the API rejects: the wanted form, and the number that was
 * probably meant (spec §1.4.4). The message repeats nothing but digits of the text.
 */
export function phoneFault(text: string): string {
  if (isUserId(text)) return `${ERRORS.INVALID_PHONE.message}: ${USER_ID_REFUSED}`;
  const wanted = `${ERRORS.INVALID_PHONE.message}: digits only, with country code, without +`;
  const guess = text.length > LONGEST_WRITTEN ? undefined : guessOf(text.trim());
  return guess === undefined ? wanted : `${wanted}; did you mean ${guess}?`;
}

/** @returns undefined unless the text can be read in one way only, as a wrong number is that of another person */
function guessOf(text: string): string | undefined {
  const [, whole] = DECIMAL.exec(text) ?? [];
  const written = (whole ?? text).replace(/^00/, '+');
  if (!WRITTEN.test(written) || (whole === undefined && SINGLE_DOT.test(written))) return undefined;
  const digits = written.replace(/\D/g, '');
  const parsed = parsePhoneNumberFromString(`+${digits}`);
  // Without the digit for calls within the country, which some write as (0).
  const number = parsed?.number.slice(1) ?? '';
  if (parsed?.isValid() && isPhone(number)) return number;
  if (!isPhone(digits)) return undefined;
  if (phoneSpellings(digits).some((spelling) => parsePhoneNumberFromString(`+${spelling}`)?.isValid())) return digits;
  const isInternational = whole !== undefined || /^\+[0-9\s-]+$/.test(text);
  return isInternational && number === digits && parsed?.isPossible() ? digits : undefined;
}

/**
 * Mobile numbers that the upstream platform reports otherwise than people dial them: country and area, then the rest.
 * Between them stands one digit more, or does not: the 9 of Brazil (before 8 digits that begin with 6 to 9), the 1 of
 * Mexico, the 9 of Argentina.
 */
const SPELLINGS: readonly { pattern: RegExp; digit: string }[] = [
  { pattern: /^(55[1-9][0-9])9?([6-9][0-9]{7})$/, digit: '9' },
  { pattern: /^(52)1?([0-9]{10})$/, digit: '1' },
  { pattern: /^(54)9?([0-9]{10})$/, digit: '9' },
];

/**
 * All ways in which records may write a phone number, the canonical one first: without and with the extra digit;
 * otherwise as it is.
 */
export function phoneSpellings(phone: string): [string, ...string[]] {
  for (const { pattern, digit } of SPELLINGS) {
    const [, area, rest] = pattern.exec(phone) ?? [];
    if (area !== undefined && rest !== undefined) return [`${area}${rest}`, `${area}${digit}${rest}`];
  }
  return [phone];
}

/**
 * One form for all spellings of a phone number. It serves for comparing, counting and locking only: what is stored and
 * sent is the number as the caller wrote it.
 * @param phone digits only, country first; any other text is its own form
 */
export function canonicalPhone(phone: string): string {
  return phoneSpellings(phone)[0];
}

/**
 * The phone number of the other side of a message, null where a user id names the person instead.
 * @param person digits, or a user id, which has letters and a dot
 */
export function phoneOfPerson(person: string): string | null {
  return /^[0-9]+$/.test(person) ? person : null;
}

/** For logs: keeps the last four digits of a phone number. */
export function maskPhone(phone: string): string {
  return `…${phone.slice(-4)}`;
}
