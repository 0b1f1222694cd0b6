import { isPublicAddress, isPublicLink, mayBePublicHost } from './public-host';

/** As long as a link may be: 2,048 characters. */
const LONGEST = `https://example.com/${'a'.repeat(2_028)}`;

describe('isPublicLink', () => {
  it.each([
    'https://example.com/a.png',
    'https://cdn.example.co.uk:8443/x?y=1#z',
    'https://8.8.8.8/a',
    'https://[2606:4700::1111]/a',
    'https://bücher.example.com/',
    'https://cdn.local.example.com/',
    LONGEST,
  ])('takes %s', (link) => expect(isPublicLink(link)).toBe(true));

  it.each([
    'http://example.com/a.png',
    'ftp://example.com/a',
    'example.com/a.png',
    '',
    'https://',
    'https://user:secret@example.com/a',
    'https://localhost/a',
    'https://intranet/a',
    'https://printer.local/a',
    'https://printer.local./a',
    'https://a.internal/a',
    'https://127.0.0.1/a',
    'https://0x7f.1/a',
    'https://2130706433/a',
    'https://127.1/a',
    'https://１２７.0.0.1/a',
    'https://10.0.0.8/a',
    'https://169.254.169.254/latest',
    'https://[::1]/a',
    'https://[::ffff:127.0.0.1]/a',
    'https://[fd00::1]/a',
    'https://[64:ff9b::7f00:1]/a',
    'https://0/a',
    `${LONGEST}a`,
  ])('refuses %s', (link) => expect(isPublicLink(link)).toBe(false));
});

describe('mayBePublicHost', () => {
  it('judges an address by its text, and trusts a name until it is looked up', () => {
    expect(mayBePublicHost('example.com.')).toBe(true);
    expect(mayBePublicHost('[::1]')).toBe(false);
    expect(isPublicAddress('example.com')).toBe(false);
  });
});
