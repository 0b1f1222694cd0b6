import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { LRUCache } from 'lru-cache';

const USER_ID = /^[A-Z]{2}\.(?:1|ENT\.2)(\d{19})$/;
/** Country of numbers that have none, such as those of satellite phones. */
const NO_COUNTRY = 'ZZ';
/** Every status needs the country of its customer, and the lookup costs more than everything else. */
const countries = new LRUCache<string, string>({ max: 50_000 });
/** A Brazilian mobile number with its ninth digit. */
const BRAZILIAN_MOBILE = /^55([1-9]\d)9(\d{8})$/;
/**
 * First area code whose ids omit the ninth digit, because they predate it. Ids of lower area codes contain the digit.
 */
const FIRST_SHORT_AREA_CODE = 31;

/**
 * Returns the business-scoped user id (BSUID), which is stable and present even when the phone number is hidden. It
 * starts with the country of the phone, as on the platform.
 */
export function userIdOf(waId: string): string {
  return `${countryOf(waId)}.1${waId.padStart(19, '0')}`;
}

/** Returns the parent BSUID: one id for all businesses of the portfolio. */
export function parentUserIdOf(waId: string): string {
  return `${countryOf(waId)}.ENT.2${waId.padStart(19, '0')}`;
}

/** Returns the number of a BSUID or parent BSUID issued by the simulator, or undefined for any other text. */
export function waIdOfUser(userId: string): string | undefined {
  const waId = USER_ID.exec(userId)?.[1]?.replace(/^0+/, '');
  return waId && [userIdOf(waId), parentUserIdOf(waId)].includes(userId) ? waId : undefined;
}

/** Returns the WhatsApp id of a number: usually its own digits, except in Brazil. */
export function waIdOf(digits: string): string {
  const [, area = '', subscriber = ''] = BRAZILIAN_MOBILE.exec(digits) ?? [];
  return Number(area) >= FIRST_SHORT_AREA_CODE ? `55${area}${subscriber}` : digits;
}

/**
 * Returns the country of a number. If several countries share its calling code and the digits do not decide, returns
 * the first of them.
 */
function countryOf(waId: string): string {
  const known = countries.get(waId);
  if (known !== undefined) return known;
  const number = parsePhoneNumberFromString(`+${waId}`);
  const country = number?.country ?? number?.getPossibleCountries()[0] ?? NO_COUNTRY;
  countries.set(waId, country);
  return country;
}
