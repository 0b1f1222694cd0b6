import { isDateFormat } from './date-styles';

it.each(['yyyy-mm-dd', 'dd/mm/yy;@', '[$-409]mmmm d, yyyy', 'h:mm AM/PM', '[h]:mm:ss', '[$-F800]dddd', 'mm:ss.0', 'General;d'])('%s shows a date or a time', (code) =>
  expect(isDateFormat(code)).toBe(true),
);

it.each(['General', '0', '0.00E+00', '#,##0 "days"', '[Red]0', '[$€-407] #,##0.00', '_-* #,##0.00\\ "kr"_-', '@', '0\\d', '[>100]0', '+0 (000) 000'])('%s does not', (code) =>
  expect(isDateFormat(code)).toBe(false),
);
