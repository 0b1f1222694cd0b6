import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/**
 * Returns the ISO country code of a number, or undefined if it is unknown. A calling code such as +1 is shared by many
 * countries, so the area code decides.
 */
export function countryOf(phone: string): string | undefined {
  return parsePhoneNumberFromString(`+${phone}`)?.country;
}

export function isCountry(code: string): boolean {
  return isSupportedCountry(code);
}
