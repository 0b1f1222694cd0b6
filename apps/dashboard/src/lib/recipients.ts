/** Phone number as the API accepts it. */
const PHONE = /^[1-9][0-9]{7,14}$/;
/** User id of a person with a hidden number. */
const USER_ID = /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/;
const USER_ID_START = /^[A-Z]{2}\./;

export const isUserId = (text: string): boolean => USER_ID.test(text);
export const isRecipient = (text: string): boolean => PHONE.test(text) || isUserId(text);

/**
 * Removes the separators of one phone number. A user id stays as it is: without a dash it would be that of another
 * person.
 */
export function recipientOf(text: string): string {
  const recipient = text.trim();
  return USER_ID_START.test(recipient) ? recipient : recipient.replace(/[\s\p{Pd}]/gu, '').replace(/^\+/, '');
}

/**
 * Extracts phone numbers and user ids from pasted text, separated by lines or commas as in an address book or a
 * spreadsheet. Removes only the separators that a spreadsheet may contain (spec §8.3.4): without its brackets,
 * `+44 (0)7911 123456` would be another number.
 */
export function recipientsIn(text: string): string[] {
  return text
    .split(/[\n,;\t]+/)
    .map(recipientOf)
    .filter((recipient) => recipient !== '');
}
