import {
  csrfTokenOf,
  expiredCookie,
  isCsrfToken,
  newSessionToken,
  sessionCookie,
  tokenHash,
  tokenOf,
} from './session-cookie';

const PLAIN = { PUBLIC_BASE_URL: 'http://localhost:3000', REQUIRE_HTTPS: false, TLS_CERT_FILE: undefined };
const token = newSessionToken();

describe('session cookie', () => {
  it('is inaccessible to scripts and other sites', () => {
    expect(sessionCookie(token, PLAIN)).toBe(`switchboard_session=${token}; Path=/; HttpOnly; SameSite=Strict`);
    expect(expiredCookie(PLAIN)).toBe('switchboard_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0');
  });

  it.each([{ PUBLIC_BASE_URL: 'https://sb.example' }, { REQUIRE_HTTPS: true }, { TLS_CERT_FILE: '/cert.pem' }])(
    'is limited to HTTPS and the exact host with %j',
    (more) => {
      const config = { ...PLAIN, ...more };
      expect(sessionCookie(token, config)).toBe(
        `__Host-switchboard_session=${token}; Path=/; HttpOnly; SameSite=Strict; Secure`,
      );
      expect(tokenOf(`__Host-switchboard_session=${token}`, config)).toBe(token);
      expect(tokenOf(`switchboard_session=${token}`, config)).toBeUndefined();
    },
  );

  it('is read from a header with other cookies', () => {
    expect(tokenOf(`a=b; switchboard_session=${token};c=d=e`, PLAIN)).toBe(token);
  });

  it.each([
    undefined,
    '',
    'switchboard_session=',
    'switchboard_session=abc',
    `switchboard_session=${token}x`,
    `xswitchboard_session=${token}`,
    `switchboard_session=${token}; switchboard_session=${newSessionToken()}`,
  ])('is not read from %j', (header) => expect(tokenOf(header, PLAIN)).toBeUndefined());

  it('has 256 random bits and is stored only as a hash', () => {
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(newSessionToken()).not.toBe(token);
    expect(tokenHash(token)).toHaveLength(32);
  });
});

describe('CSRF token', () => {
  it('is valid only for its own session', () => {
    expect(isCsrfToken(csrfTokenOf(token), token)).toBe(true);
    for (const wrong of [csrfTokenOf(newSessionToken()), token, '', undefined, ['x'], `${csrfTokenOf(token)}x`])
      expect(isCsrfToken(wrong, token)).toBe(false);
  });
});
