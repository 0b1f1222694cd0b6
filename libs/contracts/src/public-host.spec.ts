import { blankFault, isPublicAddress, isPublicLink, isWebAddress, mayBePublicHost } from './public-host';

/** Link of the maximum length, 2,048 characters. */
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
  ])('accepts %s', (link) => expect(isPublicLink(link)).toBe(true));

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
    'https://user@example.com/a',
    'https://:secret@example.com/a',
    'https://a.localhost/a',
    'https://a.localdomain/a',
    'https://router.home.arpa/a',
    'https://a.test/a',
    'https://a.invalid/a',
    'https://a.alt/a',
    'https://[4000::1]/a',
    'https://example.com/a b',
    'https://example.com/a\tb',
    'https://example.com/a\u0000b',
    'https://example.com/a\u007Fb',
    `${LONGEST}a`,
  ])('rejects %s', (link) => expect(isPublicLink(link)).toBe(false));
});

describe('mayBePublicHost', () => {
  it('checks addresses by their text and accepts unresolved names', () => {
    expect(mayBePublicHost('example.com.')).toBe(true);
    expect(mayBePublicHost('[::1]')).toBe(false);
    expect(isPublicAddress('example.com')).toBe(false);
  });
});

describe('isWebAddress', () => {
  it.each(['https://example.com/a', 'http://example.com', 'http://bücher.example.com:8080/?a=b'])(
    'accepts %s',
    (text) => expect(isWebAddress(text)).toBe(true),
  );

  it.each([
    'ftp://example.com/a',
    'example.com',
    '',
    'http://8.8.8.8/a',
    'https://[2606:4700::1111]/a',
    'https://intranet/a',
    'http://printer.local/a',
    'https://user:secret@example.com/a',
    'http://example.com/a b',
    `${LONGEST}a`,
  ])('rejects %s', (text) => expect(isWebAddress(text)).toBe(false));
});

describe('blankFault', () => {
  it.each([
    ['https://example.com/a b', 'must not contain a blank (character 22): write it as %20'],
    ['https://example.com/a\u00A0b', 'must not contain a blank (character 22): write it as %20'],
    ['https://example.com?q=a b', 'must not contain a blank (character 24): write it as %20'],
    ['https://exa mple.com/a', 'must not contain a blank (character 12): remove it'],
    ['https:// example.com/a', 'must not contain a blank (character 9): remove it'],
    ['https://example.com /a', 'must not contain a blank (character 20): remove it'],
    [' https://example.com/a', 'must not contain a blank (character 1): remove it'],
    ['https://example.com/a ', 'must not contain a blank (character 22): remove it'],
    ['https://example.com/a  \n', 'must not contain a blank (character 22): remove it'],
    ['https://example.com/a\tb', 'must not contain a tab (character 22): remove it'],
    ['https://example.com/a\nb c', 'must not contain a line break (character 22): remove it'],
    ['https://example.com/a\rb', 'must not contain a line break (character 22): remove it'],
    ['https://example.com/a\u0000b', 'must not contain a control character (character 22): remove it'],
    ['https://example.com/a\u007Fb', 'must not contain a control character (character 22): remove it'],
  ])('describes the white space in %j', (link, fault) => expect(blankFault(link, isPublicLink)).toBe(fault));

  it('returns undefined for links without blanks and for other text', () => {
    expect(blankFault('https://example.com/a', isPublicLink)).toBeUndefined();
    expect(blankFault('https://intranet/a b', isPublicLink)).toBeUndefined();
  });
});
