import { visibleName } from './visible-name';

describe('visible names', () => {
  it.each(['Asha', ' Asha ', '.', '👋', '१२', 'é', '\u200fשרה'])('keeps %j', (name) => {
    expect(visibleName(name)).toBe(name);
  });

  it.each([null, undefined, '', ' ', '\u00a0\u3000', '\u200b\u200d\ufeff', '\u202e', '\u3164', '\u2800', '\u0301'])(
    'treats %j as no name',
    (name) => {
      expect(visibleName(name)).toBeNull();
    },
  );
});
