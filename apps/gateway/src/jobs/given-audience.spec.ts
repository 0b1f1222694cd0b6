import { parseBody } from '@switchboard/contracts';
import { AudienceField, AudienceQuery, audienceOf } from './given-audience';

const NOW = Date.parse('2026-11-28T12:00:00.000Z');

describe('audience of a request', () => {
  it('converts days to times before now', () =>
    expect(audienceOf({ wroteWithinDays: 30, silentForDays: 7 }, NOW)).toEqual({
      wroteSince: '2026-10-29T12:00:00.000Z',
      silentSince: '2026-11-21T12:00:00.000Z',
    }));

  it('omits filters that are off', () =>
    expect(audienceOf({ labelId: 'lbl_1', optedIn: false, windowOpen: true }, NOW)).toEqual({
      labelId: 'lbl_1',
      windowOpen: true,
    }));

  it('reads query parameters', () =>
    expect(parseBody(AudienceQuery, { wroteWithinDays: '30', optedIn: 'true' })).toMatchObject({
      wroteWithinDays: 30,
      optedIn: true,
    }));

  it.each([{ wroteWithinDays: '0' }, { silentForDays: '3651' }, { silentForDays: '1.5' }, { optedIn: 'yes' }])(
    'rejects the query %j',
    (query) =>
      expect(() => parseBody(AudienceQuery, query)).toThrow(expect.objectContaining({ code: 'INVALID_PARAMETER' })),
  );

  it.each([
    {},
    { audience: null },
    { audience: [] },
    { audience: { wroteWithinDays: 0 } },
    { audience: { nameVariables: '1' } },
  ])('rejects the body %j', (body) => expect(() => parseBody(AudienceField, body)).toThrow());

  it('accepts all contacts', () => expect(parseBody(AudienceField, { audience: {} })).toEqual({ audience: {} }));
});
