const USER_ID = /^[A-Z]{2}\.1(\d{19})$/;
/** A Brazilian mobile number with its ninth digit. */
const BRAZILIAN_MOBILE = /^55([1-9]\d)9(\d{8})$/;
/** Below this area code the ninth digit belongs to the id, from it on the platform's ids are older than the digit. */
const FIRST_SHORT_AREA_CODE = 31;

/** The id of a user for one business (BSUID): stable, and present when the phone number is not. */
export function userIdOf(waId: string): string {
  return `US.1${waId.padStart(19, '0')}`;
}

/** The number behind a BSUID of ours; undefined for any other text. */
export function waIdOfUser(userId: string): string | undefined {
  return USER_ID.exec(userId)?.[1]?.replace(/^0+/, '') || undefined;
}

/** The id a number is known by: nearly always its own digits, but not in Brazil. */
export function waIdOf(digits: string): string {
  const [, area = '', subscriber = ''] = BRAZILIAN_MOBILE.exec(digits) ?? [];
  return Number(area) >= FIRST_SHORT_AREA_CODE ? `55${area}${subscriber}` : digits;
}
