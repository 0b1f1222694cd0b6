// @ts-check
import { createHash, createHmac } from 'node:crypto';
import { findUnkeyed } from './unkeyed.mjs';

const guess = {
  code: '004711',
  phone: '919812345678',
  accountId: 'acc_1',
  path: '/v1/otp/verify',
  body: '{"phone":"919812345678","otp":"004711"}',
};
const sha256 = (/** @type {string | Buffer} */ input) => createHash('sha256').update(input).digest();

describe('findUnkeyed', () => {
  it.each([
    [
      'of path and body, as bytea',
      `(key,"\\\\x${sha256(Buffer.concat([Buffer.from('/v1/otp/verify\n'), sha256(guess.body)])).toString('hex')}")`,
    ],
    ['of the code only, in base64', `{"hash":"${sha256('004711').toString('base64')}"}`],
    ['of phone and code, in base64url', sha256('919812345678:004711').toString('base64url')],
    ['by MD5, after four other bytes', `\\x01020304${createHash('md5').update('004711').digest('hex')}`],
  ])('finds an unkeyed hash: %s', (_how, dump) => {
    expect(findUnkeyed(`before ${dump} behind`, [guess, { ...guess, code: '004712', body: '{}' }])).toEqual([guess]);
  });

  it('ignores keyed hashes', () => {
    expect(findUnkeyed(createHmac('sha256', 'key').update('004711').digest('hex'), [guess])).toEqual([]);
  });
});
