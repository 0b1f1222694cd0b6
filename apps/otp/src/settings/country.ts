import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/**
 * Returns the ISO country code of a number, or undefined when unknown. A calling code such as 1 covers many countries.
 */
export function countryOf(phone: string): string | undefined {
  return parsePhoneNumberFromString(`+${phone}`)?.country;
}

export function isCountry(code: string): boolean {
  return isSupportedCountry(code);
}
