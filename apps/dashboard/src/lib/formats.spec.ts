import {
  browserTimeZone,
  compactText,
  counted,
  countText,
  decimalText,
  fieldText,
  fullTime,
  percentText,
  relativeTime,
  showTimesIn,
  shownTimeZone,
  sizeText,
  timeAndDay,
  timeOfField,
} from './formats';

describe('number formats', () => {
  it('use one fixed locale', () => {
    expect([countText(10_000), percentText(0.921), decimalText(1_234.56), compactText(12_000)]).toEqual([
      '10,000',
      '92.1%',
      '1,234.6',
      '12k',
    ]);
  });

  it('use the plural of the count', () => {
    expect([counted(1, 'job'), counted(0, 'job'), counted(1_200, 'delivery', 'deliveries')]).toEqual([
      '1 job',
      '0 jobs',
      '1,200 deliveries',
    ]);
  });

  it.each([
    [1, '1 KB'],
    [2_048_000, '2.0 MB'],
    [1_047_552, '1,023 KB'],
  ])('format %d bytes as %s', (bytes, text) => {
    expect(sizeText(bytes)).toBe(text);
  });
});

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Adds half a second, so that a slow test stays in the same unit. */
const inMs = (ms: number): string => new Date(Date.now() + ms + 500).toISOString();

describe('relativeTime', () => {
  it.each([
    [-3 * HOUR_MS, '3 hr ago'],
    [-5 * MINUTE_MS, '5 min ago'],
    [-30 * SECOND_MS, 'just now'],
    [5 * SECOND_MS, 'in under a minute'],
    [55 * SECOND_MS, 'in under a minute'],
    [2 * MINUTE_MS, 'in 2 min'],
    [24 * HOUR_MS, 'tomorrow'],
  ])('formats %d ms from now as %j', (ms, text) => {
    expect(relativeTime(inMs(ms))).toBe(text);
  });
});

describe('timeAndDay', () => {
  afterEach(() => void jest.useRealTimers());

  it.each([
    [new Date(2026, 10, 26, 0, 0), '00:00'],
    [new Date(2026, 10, 26, 23, 59), '23:59'],
    [new Date(2026, 10, 27, 4, 22), 'tomorrow 04:22'],
    [new Date(2026, 10, 25, 4, 37), 'yesterday 04:37'],
    [new Date(2026, 10, 28, 4, 22), '28 Nov 2026, 04:22'],
  ])('formats %s with the day unless it is today: %j', (at, text) => {
    jest.useFakeTimers({ now: new Date(2026, 10, 26, 4, 38) });
    expect(timeAndDay(at.toISOString())).toBe(text);
  });
});

describe('time zone of the account', () => {
  afterEach(() => {
    jest.restoreAllMocks();
    showTimesIn(null);
    jest.useRealTimers();
  });

  it.each([
    ['Asia/Kolkata', '27 Nov 2026, 04:22:10 · 26 Nov 2026, 22:52:10 UTC'],
    ['UTC', '26 Nov 2026, 22:52:10 UTC'],
    ['Not/AZone', fullTime('2026-11-26T22:52:10Z')],
  ])('shows times in %s', (zone, text) => {
    showTimesIn(zone);
    expect(fullTime('2026-11-26T22:52:10Z')).toBe(text);
  });

  it('is named without underscores', () => {
    showTimesIn('America/New_York');
    expect(shownTimeZone()).toBe('America/New York');
  });

  it.each([
    ['Etc/Unknown', 'UTC'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
  ])('is that of a browser in %s: %s', (timeZone, used) => {
    const options = new Intl.DateTimeFormat().resolvedOptions();
    jest.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ ...options, timeZone });
    expect(browserTimeZone()).toBe(used);
  });

  it.each([
    ['Asia/Kolkata', '2026-11-28 14:30', '2026-11-28T09:00:00.000Z'],
    ['Asia/Kolkata', '2026-11-28', '2026-11-27T18:30:00.000Z'],
    ['America/New_York', '2026-11-01 01:30', '2026-11-01T05:30:00.000Z'],
    ['America/New_York', '2026-11-01 02:00', '2026-11-01T07:00:00.000Z'],
    ['America/New_York', '2026-03-08 03:00', '2026-03-08T07:00:00.000Z'],
    ['America/New_York', '2026-03-08 02:30', '2026-03-08T07:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25 01:59', '2026-10-24T23:59:00.000Z'],
    ['Europe/Berlin', '2026-10-25 02:30', '2026-10-25T00:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25 03:00', '2026-10-25T02:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29 02:30', '2026-03-29T01:30:00.000Z'],
    ['Australia/Lord_Howe', '2026-10-04 02:15', '2026-10-03T15:45:00.000Z'],
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
    ['Pacific/Apia', '2011-12-30 10:00', '2011-12-30T20:00:00.000Z'],
    ['Pacific/Auckland', '2026-01-01 00:00', '2025-12-31T11:00:00.000Z'],
    ['UTC', '2026-02-29 10:00', undefined],
    ['UTC', '2026-02-28 24:00', undefined],
    ['UTC', '28.02.2026 10:00', undefined],
    ['UTC', '2026-02-28T10:00:00Z', undefined],
    ['UTC', '0026-02-28 10:00', undefined],
    ['UTC', '', undefined],
  ])('reads fields in %s: %j', (zone, text, at) => {
    showTimesIn(zone);
    expect(timeOfField(text)).toBe(at);
  });

  it('writes fields as it reads them', () => {
    showTimesIn('Asia/Kolkata');
    expect(fieldText(Date.parse('2026-11-28T09:00:30Z'))).toBe('2026-11-28 14:30');
  });

  it("decides by the account's day what is tomorrow", () => {
    jest.useFakeTimers({ now: new Date('2026-11-26T18:00:00Z') });
    showTimesIn('Asia/Kolkata');
    expect(timeAndDay('2026-11-26T19:00:00Z')).toBe('tomorrow 00:30');
  });
});
