import { isDateFormat } from './date-styles';

it.each([
  'yyyy-mm-dd',
  'dd/mm/yy;@',
  '[$-409]mmmm d, yyyy',
  'h:mm AM/PM',
  '[h]:mm:ss',
  '[$-F800]dddd',
  'mm:ss.0',
  'General;d',
])('%s displays a date or a time', (code) => expect(isDateFormat(code)).toBe(true));

it.each([
  'General',
  '0',
  '0.00E+00',
  '#,##0 "days"',
  '[Red]0',
  '[$€-407] #,##0.00',
  '_-* #,##0.00\\ "kr"_-',
  '@',
  '0\\d',
  '[>100]0',
  '+0 (000) 000',
])('%s displays neither a date nor a time', (code) => expect(isDateFormat(code)).toBe(false));

it.each(['0"d', '0[d', '0 [h', 'd'.repeat(9)])('%s displays a date because an unclosed part is literal', (code) =>
  expect(isDateFormat(code)).toBe(true),
);

it('scans at most 255 characters in linear time', () => {
  expect(isDateFormat(`${'0'.repeat(254)}d`)).toBe(true);
  expect(isDateFormat(`${'0'.repeat(255)}d`)).toBe(false);
  const codes = ['[', '"', '\\', '_', '[h', 'general', '[]'].map((piece) => piece.repeat(100_000));
  const startedAt = process.cpuUsage();
  for (const code of codes) for (let time = 0; time < 1_000; time += 1) isDateFormat(code);
  expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(1_000);
});
