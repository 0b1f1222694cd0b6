import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

const USER_ID = /^([A-Z]{2})\./;

/**
 * Returns the ISO country code of a recipient; null if it is unknown.
 * @param recipient phone number, digits only; or a user id, which starts with the country
 */
export function countryOf(recipient: string): string | null {
  const [, country] = USER_ID.exec(recipient) ?? [];
  return country ?? parsePhoneNumberFromString(`+${recipient}`)?.country ?? null;
}
