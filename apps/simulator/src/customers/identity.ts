import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { LRUCache } from 'lru-cache';

const USER_ID = /^[A-Z]{2}\.(?:1|ENT\.2)(\d{19})$/;
/** Placeholder for numbers without a country, such as satellite phones. */
const NO_COUNTRY = 'ZZ';
/** Each status needs the country of its customer, and the lookup costs more than everything else. */
const countries = new LRUCache<string, string>({ max: 50_000 });
/** A Brazilian mobile number with its ninth digit. */
const BRAZILIAN_MOBILE = /^55([1-9]\d)9(\d{8})$/;
/** Below this area code, ids contain the ninth digit; from it on, the platform's ids predate the digit. */
const FIRST_SHORT_AREA_CODE = 31;

/**
 * Business-scoped user id (BSUID): stable, and present when the phone number is hidden. Starts with the country of the
 * phone, like upstream.
 */
export function userIdOf(waId: string): string {
  return `${countryOf(waId)}.1${waId.padStart(19, '0')}`;
}

/** Parent BSUID: one id for all businesses of the portfolio. */
export function parentUserIdOf(waId: string): string {
  return `${countryOf(waId)}.ENT.2${waId.padStart(19, '0')}`;
}

/** Returns the number of a BSUID or parent BSUID issued here; undefined for any other text. */
export function waIdOfUser(userId: string): string | undefined {
  const waId = USER_ID.exec(userId)?.[1]?.replace(/^0+/, '');
  return waId && [userIdOf(waId), parentUserIdOf(waId)].includes(userId) ? waId : undefined;
}

/** Returns the id of a number: usually its own digits, except in Brazil. */
export function waIdOf(digits: string): string {
  const [, area = '', subscriber = ''] = BRAZILIAN_MOBILE.exec(digits) ?? [];
  return Number(area) >= FIRST_SHORT_AREA_CODE ? `55${area}${subscriber}` : digits;
}

/** Where several countries share a calling code and the digits do not decide, returns the first of them. */
function countryOf(waId: string): string {
  const known = countries.get(waId);
  if (known !== undefined) return known;
  const number = parsePhoneNumberFromString(`+${waId}`);
  const country = number?.country ?? number?.getPossibleCountries()[0] ?? NO_COUNTRY;
  countries.set(waId, country);
  return country;
}
