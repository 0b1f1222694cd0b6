/** 8 to 15 ASCII digits, the first one 1-9, no plus (spec 2.1, decisions 1). */
const PHONE = /^[1-9][0-9]{7,14}$/;

/** Whether the text is a phone number as the API writes it: E.164 without the plus. */
export function isPhone(text: string): boolean {
  return PHONE.test(text);
}

/** For logs: keeps the last four digits of a phone number. */
export function maskPhone(phone: string): string {
  return `…${phone.slice(-4)}`;
}
