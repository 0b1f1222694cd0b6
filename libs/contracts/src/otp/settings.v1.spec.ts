import { parseBody } from '../validation';
import { SetOtpSettingsCommand } from './settings.v1';

const accountId = 'acc_01jd0000000000000000000000';

it('accepts null, which restores a default, and absent fields', () => {
  expect({
    ...parseBody(SetOtpSettingsCommand, { accountId, countries: null, template: null, sendsPerPrefix: null }),
  }).toEqual({ accountId, countries: null, template: null, sendsPerPrefix: null });
  expect({ ...parseBody(SetOtpSettingsCommand, { accountId, countries: ['IN'] }) }).toEqual({
    accountId,
    countries: ['IN'],
  });
});

it.each([
  [{ countries: [] }],
  [{ countries: ['india'] }],
  [{ countries: 'IN' }],
  [{ sendsPerPrefix: 0 }],
  [{ sendsPerPrefix: 1_001 }],
  [{ template: { name: 'x' } }],
])('rejects %j', (change) => expect(() => parseBody(SetOtpSettingsCommand, { accountId, ...change })).toThrow());
