import { networkOf } from './sign-in-attempts';

describe('the network of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    [undefined, 'unknown'],
    ['nonsense', 'unknown'],
  ])('of %s is %s', (address, network) => expect(networkOf(address)).toBe(network));

  it('is one for all addresses of an IPv6 subnet', () => {
    expect(networkOf('2001:db8:1:2::1')).toBe(networkOf('2001:db8:1:2:ffff::9'));
    expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
  });
});
