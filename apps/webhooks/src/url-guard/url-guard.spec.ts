import { AppError } from '@switchboard/contracts';
import { parseCustomerUrl } from './url-guard';

const strict = { allowPrivate: false };
const lenient = { allowPrivate: true };

/** Every way we know to write an address that a webhook must not reach. */
const REFUSED_HOSTS = [
  ...['127.0.0.1', '127.1', '127.0.1', '0x7f.1', '0x7f000001', '0x7f.0x0.0x0.0x1', '2130706433', '017700000001', '0177.0.0.1', '0177.1', '127.0.0.1.', '0', '0.0.0.0'],
  ...['１２７.０.０.１', '127。0。0。1', '①②⑦.0.0.1', '%31%32%37.0.0.1', '127.0.0.1%2e'],
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::127.0.0.1]', '[2002:7f00:1::]', '[::ffff:0:127.0.0.1]'],
  ...['[fe80::1]', '[fc00::1]', '[fd00:ec2::254]', '[ff02::1]', '[fec0::1]', '[2001:db8::1]'],
  ...['10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', '169.254.169.254', '0xa9fea9fe', '2852039166', '198.18.0.1', '224.0.0.1', '255.255.255.255', '192.0.2.1'],
  ...['localhost', 'LOCALHOST', 'localhost.', 'ｌｏｃａｌｈｏｓｔ', 'a.localhost', 'rabbitmq', 'metadata.google.internal', 'printer.local', 'db.localdomain', 'nas.home.arpa', 'x.test', 'x.invalid'],
];

function codeOf(work: () => unknown): string {
  try {
    work();
    return 'accepted';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

describe('a webhook URL', () => {
  it('is judged in more than forty ways of writing an inner host', () => expect(REFUSED_HOSTS.length).toBeGreaterThan(40));

  it.each(REFUSED_HOSTS)('with the host %s is refused', (host) => {
    expect(codeOf(() => parseCustomerUrl(`https://${host}/hook`, strict))).toBe('INVALID_LINK');
    expect(codeOf(() => parseCustomerUrl(`https://${host}:8443`, strict))).toBe('INVALID_LINK');
  });

  it.each(['https://example.com/hook', 'https://example.com:8443/a?b=c', 'https://8.8.8.8/', 'https://[2606:4700::1111]/x', 'https://bücher.example.com/'])(
    '%s is taken',
    (url) => expect(codeOf(() => parseCustomerUrl(url, strict))).toBe('accepted'),
  );

  it.each(['', 'example.com/hook', '//example.com', 'https://', 'https://exa mple.com', 'https://example.com:99999/', 'https://1.2.3.4.5/', 'https://256.1.1.1/'])(
    '"%s" is no URL that can be called',
    (url) => expect(codeOf(() => parseCustomerUrl(url, strict))).toBe('INVALID_LINK'),
  );

  it.each(['http://example.com/', 'ftp://example.com/', 'file:///etc/passwd', 'javascript:alert(1)', 'data:text/plain,x', 'gopher://example.com/', 'unix:/run/x', 'wss://example.com'])(
    '%s is refused for its scheme',
    (url) => expect(() => parseCustomerUrl(url, strict)).toThrow('it must begin with https://'),
  );

  it.each(['https://user@example.com/', 'https://user:pass@example.com/', 'https://:pass@example.com/', 'https://example.com@127.0.0.1/', 'https://127.0.0.1\\@example.com/'])(
    '%s is refused: a user name can hide the host',
    (url) => expect(codeOf(() => parseCustomerUrl(url, strict))).toBe('INVALID_LINK'),
  );

  it('loses its fragment, which is never sent', () => {
    expect(parseCustomerUrl('https://example.com/hook?a=1#part', strict).toString()).toBe('https://example.com/hook?a=1');
  });

  it('may be plain HTTP and private on a machine of your own, but not of another scheme or with a password', () => {
    expect(codeOf(() => parseCustomerUrl('http://127.0.0.1:8080/hook', lenient))).toBe('accepted');
    expect(codeOf(() => parseCustomerUrl('https://localhost/hook', lenient))).toBe('accepted');
    expect(codeOf(() => parseCustomerUrl('file:///etc/passwd', lenient))).toBe('INVALID_LINK');
    expect(codeOf(() => parseCustomerUrl('http://a:b@127.0.0.1/', lenient))).toBe('INVALID_LINK');
  });
});
