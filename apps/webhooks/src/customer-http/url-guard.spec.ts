import { AppError } from '@switchboard/contracts';
import { REFUSED_HOSTS } from '../../test/refused-hosts';
import { hostOf, parseCustomerUrl } from './url-guard';

const strict = { allowPrivate: false };
const lenient = { allowPrivate: true };

function codeOf(work: () => unknown): string {
  try {
    work();
    return 'accepted';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

describe('parseCustomerUrl', () => {
  it('is tested with more than forty notations of internal hosts', () =>
    expect(REFUSED_HOSTS.length).toBeGreaterThan(40));

  it.each(REFUSED_HOSTS)('rejects the host %s', (host) => {
    expect(codeOf(() => parseCustomerUrl(`https://${host}/hook`, strict))).toBe('INVALID_LINK');
    expect(codeOf(() => parseCustomerUrl(`https://${host}:8443`, strict))).toBe('INVALID_LINK');
  });

  it.each([
    'https://example.com/hook',
    'https://example.com:8443/a?b=c',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/x',
    'https://bücher.example.com/',
  ])('accepts %s', (url) => expect(codeOf(() => parseCustomerUrl(url, strict))).toBe('accepted'));

  it.each([
    '',
    'example.com/hook',
    '//example.com',
    'https://',
    'https://exa mple.com',
    'https://example.com:99999/',
    'https://1.2.3.4.5/',
    'https://256.1.1.1/',
  ])('rejects "%s" as not a callable URL', (url) =>
    expect(codeOf(() => parseCustomerUrl(url, strict))).toBe('INVALID_LINK'),
  );

  it.each([
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'gopher://example.com/',
    'unix:/run/x',
    'wss://example.com',
  ])('rejects %s because of its scheme', (url) =>
    expect(() => parseCustomerUrl(url, strict)).toThrow('it must begin with https://'),
  );

  it.each([
    'https://user@example.com/',
    'https://user:pass@example.com/',
    'https://:pass@example.com/',
    'https://example.com@127.0.0.1/',
    'https://127.0.0.1\\@example.com/',
  ])('rejects %s because a user name can hide the host', (url) =>
    expect(codeOf(() => parseCustomerUrl(url, strict))).toBe('INVALID_LINK'),
  );

  it.each([
    ['no url', 'it is not a URL'],
    ['https://exa mple.com/', 'it must not contain a blank (character 12): remove it'],
    ['http://example.com/', 'it must begin with https://'],
    ['https://user@example.com/', 'it must not hold a user name or password'],
    ['https://localhost/', 'its host must be a public address'],
  ])('rejects "%s" with the broken rule: %s', (url, rule) => {
    expect(() => parseCustomerUrl(url, strict)).toThrow(
      expect.objectContaining({
        code: 'INVALID_LINK',
        details: [{ field: 'url', message: `the webhook URL is rejected: ${rule}` }],
      }),
    );
  });

  it('drops the fragment, which is never sent', () => {
    expect(parseCustomerUrl('https://example.com/hook?a=1#part', strict).toString()).toBe(
      'https://example.com/hook?a=1',
    );
  });

  it('allows only plain HTTP and private hosts when configured', () => {
    expect(codeOf(() => parseCustomerUrl('http://127.0.0.1:8080/hook', lenient))).toBe('accepted');
    expect(codeOf(() => parseCustomerUrl('https://localhost/hook', lenient))).toBe('accepted');
    expect(codeOf(() => parseCustomerUrl('file:///etc/passwd', lenient))).toBe('INVALID_LINK');
    expect(codeOf(() => parseCustomerUrl('http://a:b@127.0.0.1/', lenient))).toBe('INVALID_LINK');
  });
});

describe('hostOf', () => {
  it.each([
    ['[2606:4700::1111]', '2606:4700::1111'],
    ['8.8.8.8', '8.8.8.8'],
    ['example.com', 'example.com'],
  ])('maps %s to %s', (hostname, host) => expect(hostOf(hostname)).toBe(host));
});
