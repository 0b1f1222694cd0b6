import { newRecoveryCodes, recoveryHash } from './recovery-codes';

describe('recovery codes', () => {
  it('are ten codes of 60 random bits', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){2}$/);
  });

  it('match regardless of case, hyphens and spaces', () => {
    const hash = recoveryHash('secret', '70k1-m9qd-41tz');
    for (const typed of ['70K1M9QD41TZ', ' 7ok1 m9qd 4ltz ', '7OKI-M9QD-41TZ'])
      expect(recoveryHash('secret', typed)).toEqual(hash);
  });

  it("are hashed with the user's secret", () => {
    expect(recoveryHash('secret', '70k1-m9qd-41tz')).not.toEqual(recoveryHash('another', '70k1-m9qd-41tz'));
  });
});
