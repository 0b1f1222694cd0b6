import { parseJobTimes } from './job-times';

const NOW = Date.parse('2026-03-02T10:15:00Z');
const parse = (scheduledAt: unknown): unknown => parseJobTimes({ scheduledAt }, NOW).scheduledAt;
const parseExpiry = (expireAt: unknown, scheduledAt?: string): unknown =>
  parseJobTimes({ expireAt, scheduledAt }, NOW).expireAt;

it.each([
  [undefined, undefined],
  ['2026-03-02T10:14:30Z', '2026-03-02T10:14:30.000Z'],
  ['2026-03-02T12:00:00+01:00', '2026-03-02T11:00:00.000Z'],
  ['2026-04-06T10:15:00Z', '2026-04-06T10:15:00.000Z'],
])('accepts the start %p for %p', (value, time) => expect(parse(value)).toBe(time));

it.each([
  ['2026-03-02T10:13:00Z', 'INVALID_VALUE'],
  ['2026-04-06T10:15:01Z', 'INVALID_VALUE'],
  ['tomorrow', 'INVALID_VALUE'],
  ['2026-02-30T10:00:00Z', 'INVALID_VALUE'],
  [1_772_446_500, 'INVALID_PARAMETER'],
])('rejects the start %p with %s', (value, code) =>
  expect(() => parse(value)).toThrow(expect.objectContaining({ code })),
);

it.each([
  [undefined, undefined, undefined],
  ['2026-03-02T10:15:00.001Z', undefined, '2026-03-02T10:15:00.001Z'],
  ['2026-03-03T12:00:00+01:00', '2026-03-03T10:59:59Z', '2026-03-03T11:00:00.000Z'],
  ['2026-05-11T10:15:00Z', '2026-04-06T10:15:00Z', '2026-05-11T10:15:00.000Z'],
])('accepts the expiry %p of a job for %p', (value, scheduledAt, time) =>
  expect(parseExpiry(value, scheduledAt)).toBe(time),
);

it.each([
  ['2026-03-02T10:15:00Z', undefined, 'INVALID_VALUE', 'expireAt must be in the future, within the next 70 days'],
  ['2026-05-11T10:15:01Z', undefined, 'INVALID_VALUE', 'expireAt must be in the future, within the next 70 days'],
  ['2026-03-02T11:00:00Z', '2026-03-02T11:00:00Z', 'INVALID_VALUE', 'expireAt must be after scheduledAt'],
  ['tomorrow', undefined, 'INVALID_VALUE', 'expireAt must be a time such as 2026-03-02T10:15:00Z'],
  [1_772_446_500, undefined, 'INVALID_PARAMETER', 'expireAt must be a string'],
])('rejects the expiry %p of a job for %p with %s', (value, scheduledAt, code, message) => {
  expect(() => parseExpiry(value, scheduledAt)).toThrow(expect.objectContaining({ code, message }));
});
