import { clientAddress, isAddressAllowed, networkOf, normaliseRange, trustedEntry } from './addresses';

describe('normaliseRange', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7/32'],
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['2001:DB8::1', '2001:db8::1/128'],
    ['2001:db8::/32', '2001:db8::/32'],
    ['::ffff:10.0.0.0/104', '::ffff:10.0.0.0/104'],
    ['0.0.0.0/0', '0.0.0.0/0'],
  ])('normalises %s to %s', (text, range) => {
    expect(normaliseRange(text)).toBe(range);
  });

  it.each([
    '',
    'localhost',
    '10.0.0.0/33',
    '2001:db8::/129',
    '127.1',
    '0x7f000001',
    '2130706433',
    '10.0.0.1/',
    '10.0.0.1/-1',
    'fe80::1%eth0',
    '10.0.0.0/8,::/0',
  ])('rejects %j', (text) => {
    expect(normaliseRange(text)).toBeUndefined();
  });
});

describe('isAddressAllowed', () => {
  it.each([
    ['203.0.113.7', [], true],
    ['203.0.113.7', ['203.0.113.0/24'], true],
    ['203.0.114.7', ['203.0.113.0/24'], false],
    ['203.0.113.7', ['10.0.0.0/8', '203.0.113.7/32'], true],
    ['::ffff:203.0.113.7', ['203.0.113.0/24'], true],
    ['::ffff:cb00:7107', ['203.0.113.0/24'], true],
    ['203.0.113.7', ['::ffff:203.0.113.0/120'], true],
    ['203.0.113.7', ['::/0'], false],
    ['2001:db8::5', ['2001:db8::/32'], true],
    ['2001:db9::5', ['2001:db8::/32'], false],
    ['2001:db8::5', ['0.0.0.0/0'], false],
    ['10.1.2.3', ['0.0.0.0/0'], true],
    [undefined, [], true],
    [undefined, ['0.0.0.0/0'], false],
    ['unknown', ['0.0.0.0/0'], false],
  ])('allows %s under the ranges %j: %s', (address, ranges, allowed) => {
    expect(isAddressAllowed(address, ranges)).toBe(allowed);
  });
});

describe('clientAddress', () => {
  const socketAddress = '192.0.2.1';

  it.each([
    [0, '203.0.113.7', '192.0.2.1', 'ignores the header without a trusted proxy'],
    [1, undefined, '192.0.2.1', 'the proxy wrote nothing'],
    [1, '203.0.113.7', '203.0.113.7', 'the proxy wrote the client'],
    [1, '10.9.9.9, 203.0.113.7', '203.0.113.7', 'the client forged an entry before the proxy'],
    [2, '10.9.9.9, 203.0.113.7, 198.51.100.2', '203.0.113.7', 'two proxies'],
    [3, '203.0.113.7', '203.0.113.7', 'fewer entries than proxies'],
    [1, '203.0.113.7:4711', '203.0.113.7', 'with a port'],
    [1, '[2001:db8::1]:4711', '2001:db8::1', 'IPv6 with a port'],
    [1, '2001:db8::1', '2001:db8::1', 'IPv6'],
    [1, 'unknown', undefined, 'not an address'],
    [1, ' , ,', '192.0.2.1', 'an empty list'],
  ])('with %s trusted hops and header %j is %s: %s', (trustedHops, forwardedFor, address, _why) => {
    expect(clientAddress({ socketAddress, forwardedFor, trustedHops })).toBe(address);
  });

  it('reads repeated headers as one list', () => {
    expect(clientAddress({ socketAddress, forwardedFor: ['10.9.9.9', '203.0.113.7'], trustedHops: 1 })).toBe(
      '203.0.113.7',
    );
  });

  it('reads the protocol from the outermost trusted proxy', () => {
    expect(trustedEntry('https, http', 1)).toBe('http');
    expect(trustedEntry('https', 1)).toBe('https');
    expect(trustedEntry('https', 0)).toBeUndefined();
  });
});

describe('networkOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    [undefined, 'unknown'],
    ['nonsense', 'unknown'],
  ])('maps %s to %s', (address, network) => expect(networkOf(address)).toBe(network));

  it('maps addresses of an IPv6 subnet to one network', () => {
    expect(networkOf('2001:db8:1:2::1')).toBe(networkOf('2001:db8:1:2:ffff::9'));
    expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
  });
});
