import { hmacOfCode } from './code-hmac';

const owner = { accountId: 'acc_a', phone: '919812345678' };
const pepper = 'p'.repeat(32);
const hash = hmacOfCode('a82913', owner, pepper);

it('returns the same 32 bytes for the same input', () => {
  expect(hash).toHaveLength(32);
  // printf %s 'acc_a:919812345678:a82913' | openssl dgst -sha256 -hmac pppppppppppppppppppppppppppppppp
  expect(hash.toString('hex')).toBe('fada7056165959aa3a110965f10e29e2df921f04f38687831a37d7a0a04fcfcf');
  expect(hmacOfCode('a82913', { ...owner }, pepper)).toEqual(hash);
});

it.each([
  ['code', hmacOfCode('a82914', owner, pepper)],
  ['letter case', hmacOfCode('A82913', owner, pepper)],
  ['account', hmacOfCode('a82913', { ...owner, accountId: 'acc_b' }, pepper)],
  ['phone', hmacOfCode('a82913', { ...owner, phone: '919812345679' }, pepper)],
  ['pepper', hmacOfCode('a82913', owner, 'q'.repeat(32))],
])('changes with the %s', (_part, other) => expect(other).not.toEqual(hash));
