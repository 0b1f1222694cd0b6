import { parseScheduledAt } from './scheduled-at';

const NOW = Date.parse('2026-03-02T10:15:00Z');
const parse = (value: unknown): unknown => parseScheduledAt(value, NOW);

it.each([
  [undefined, undefined],
  ['2026-03-02T10:14:30Z', '2026-03-02T10:14:30.000Z'],
  ['2026-03-02T12:00:00+01:00', '2026-03-02T11:00:00.000Z'],
  ['2026-04-06T10:15:00Z', '2026-04-06T10:15:00.000Z'],
])('takes %p for %p', (value, time) => expect(parse(value)).toBe(time));

it.each([
  ['2026-03-02T10:13:00Z', 'INVALID_VALUE'],
  ['2026-04-06T10:15:01Z', 'INVALID_VALUE'],
  ['tomorrow', 'INVALID_VALUE'],
  ['2026-02-30T10:00:00Z', 'INVALID_VALUE'],
  [1_772_446_500, 'INVALID_PARAMETER'],
])('refuses %p with %s', (value, code) => expect(() => parse(value)).toThrow(expect.objectContaining({ code })));
