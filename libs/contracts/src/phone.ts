/** 8 to 15 ASCII digits, the first one 1-9, no plus (spec 2.1, decisions 1). */
const PHONE = /^[1-9][0-9]{7,14}$/;

/** Whether the text is a phone number as the API writes it: E.164 without the plus. */
export function isPhone(text: string): boolean {
  return PHONE.test(text);
}

/** Numbers that the upstream platform reports otherwise than they are dialled: country and area, then the rest; a digit stands between them, or does not. */
const SPELLINGS: readonly { pattern: RegExp; digit: string }[] = [
  { pattern: /^(55[1-9][0-9])9?([6-9][0-9]{7})$/, digit: '9' },
  { pattern: /^(52)1?([0-9]{10})$/, digit: '1' },
  { pattern: /^(54)9?([0-9]{10})$/, digit: '9' },
];

/** All ways in which a phone number may stand in records: with and without the extra digit of Brazil, Mexico and Argentina; otherwise as it is. */
export function phoneSpellings(phone: string): string[] {
  for (const { pattern, digit } of SPELLINGS) {
    const [, area, rest] = pattern.exec(phone) ?? [];
    if (area !== undefined && rest !== undefined) return [`${area}${rest}`, `${area}${digit}${rest}`];
  }
  return [phone];
}

/** For logs: keeps the last four digits of a phone number. */
export function maskPhone(phone: string): string {
  return `…${phone.slice(-4)}`;
}
