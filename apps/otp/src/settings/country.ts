import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/**
 * The ISO code of the country that a number belongs to: a calling code such as 1 has many. Undefined when none is
 * known.
 */
export function countryOf(phone: string): string | undefined {
  return parsePhoneNumberFromString(`+${phone}`)?.country;
}

export function isCountry(code: string): boolean {
  return isSupportedCountry(code);
}
