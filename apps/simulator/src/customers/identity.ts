import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { LRUCache } from 'lru-cache';

const USER_ID = /^[A-Z]{2}\.1(\d{19})$/;
/** In place of the country of a number that belongs to none, such as a satellite phone's. */
const NO_COUNTRY = 'ZZ';
/** Each status names its person, and to look a country up takes longer than all the rest of it. */
const countries = new LRUCache<string, string>({ max: 50_000 });
/** A Brazilian mobile number with its ninth digit. */
const BRAZILIAN_MOBILE = /^55([1-9]\d)9(\d{8})$/;
/** Below this area code the ninth digit belongs to the id, from it on the platform's ids are older than the digit. */
const FIRST_SHORT_AREA_CODE = 31;

/**
 * The id of a user for one business (BSUID): stable, and present when the phone number is not. It begins with the
 * country of the phone, as upstream.
 */
export function userIdOf(waId: string): string {
  return `${countryOf(waId)}.1${waId.padStart(19, '0')}`;
}

/** The number behind a BSUID of ours; undefined for any other text. */
export function waIdOfUser(userId: string): string | undefined {
  const waId = USER_ID.exec(userId)?.[1]?.replace(/^0+/, '');
  return waId && userIdOf(waId) === userId ? waId : undefined;
}

/** The id a number is known by: nearly always its own digits, but not in Brazil. */
export function waIdOf(digits: string): string {
  const [, area = '', subscriber = ''] = BRAZILIAN_MOBILE.exec(digits) ?? [];
  return Number(area) >= FIRST_SHORT_AREA_CODE ? `55${area}${subscriber}` : digits;
}

/** Where several countries share a calling code and the digits do not tell which, it is the first of them. */
function countryOf(waId: string): string {
  const known = countries.get(waId);
  if (known !== undefined) return known;
  const number = parsePhoneNumberFromString(`+${waId}`);
  const country = number?.country ?? number?.getPossibleCountries()[0] ?? NO_COUNTRY;
  countries.set(waId, country);
  return country;
}
