import { failureOf, failureOfRefusal } from './failure';

const stored = {
  code: 131047,
  title: 'Re-engagement message',
  message: 'too late',
  category: 'window' as const,
  retriable: false,
};
const FIELDS = ['reason', 'code', 'title', 'message', 'category', 'retriable'];

describe('failureOf', () => {
  it('returns six fields in a fixed order', () => {
    for (const failure of [
      failureOf({ ...stored, reason: 'WINDOW_CLOSED' }),
      failureOf(stored),
      failureOfRefusal({ code: 'INVALID_PHONE', message: 'x' }),
    ]) {
      expect(Object.keys(failure)).toEqual(FIELDS);
    }
  });

  it('keeps the stored reason or derives one from the category', () => {
    expect(failureOf({ ...stored, reason: 'UPSTREAM_TIMEOUT' })).toEqual({ ...stored, reason: 'UPSTREAM_TIMEOUT' });
    expect(failureOf(stored)).toEqual({ ...stored, reason: 'WINDOW_CLOSED' });
    expect(failureOf({ ...stored, category: 'optout' }).reason).toBe('RECIPIENT_OPTED_OUT');
  });

  it('returns no code without an upstream code', () => {
    expect(failureOf({ ...stored, code: 0 }).code).toBeNull();
  });
});

describe('failureOfRefusal', () => {
  it('sets reason, title and message from the rejection', () => {
    expect(failureOfRefusal({ code: 'INVALID_PHONE', message: 'phone number format is invalid: 12' })).toEqual({
      reason: 'INVALID_PHONE',
      code: null,
      title: 'phone number format is invalid',
      message: 'phone number format is invalid: 12',
      category: 'undeliverable',
      retriable: false,
    });
  });

  it.each(['A_CODE_OF_TOMORROW', 'constructor', 'MISSING_FIELD'])('maps the code %s to the category other', (code) => {
    expect(failureOfRefusal({ code, message: 'words' })).toMatchObject({
      reason: code,
      category: 'other',
      message: 'words',
      title: expect.stringMatching(/./) as string,
    });
  });
});
