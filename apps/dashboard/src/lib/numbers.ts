/** Locale of all numbers and times, independent of the browser, because the texts are English. */
export const LOCALE = 'en-GB';

const whole = new Intl.NumberFormat(LOCALE);
const percent = new Intl.NumberFormat(LOCALE, {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const oneDigit = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const short = new Intl.NumberFormat(LOCALE, { notation: 'compact' });

/** `10,000` */
export const countText = (count: number): string => whole.format(count);

/** `92.1%` */
export const percentText = (share: number): string => percent.format(share);

/** `1.5` */
export const decimalText = (value: number): string => oneDigit.format(value);

/** `10K` */
export const compactText = (count: number): string => short.format(count);

/** `12 KB`, `1.5 MB` */
export const sizeText = (bytes: number): string =>
  bytes < 1_048_576
    ? `${countText(Math.max(1, Math.round(bytes / 1_024)))} KB`
    : `${decimalText(bytes / 1_048_576)} MB`;

/** Total of a list: `1,200`, or `10,000+` when counting stopped early. */
export const totalText = ({ total, totalIsExact }: { total: number; totalIsExact: boolean }): string =>
  `${countText(total)}${totalIsExact ? '' : '+'}`;
