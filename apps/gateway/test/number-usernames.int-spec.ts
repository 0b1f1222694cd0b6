import {
  AppError,
  getNumberUsernameV1,
  listNumbersV1,
  type NumberRecord,
  setNumberUsernameV1,
} from '@switchboard/contracts';
import { type Browser, signedIn } from './support/console';
import { type GatewayUnderTest, startGateway } from './support/gateway';
import { type OperatorUnderTest, operatorOn } from './support/operator';

const [NUMBER] = listNumbersV1.sample.response.numbers as [NumberRecord];
const { phoneNumber } = NUMBER;
const path = `/console/v1/numbers/${NUMBER.id}/username`;

describe('business number user names', () => {
  let gateway: GatewayUnderTest;
  let operator: OperatorUnderTest;
  let accountId: string;
  let admin: Browser;
  let viewer: Browser;

  beforeAll(async () => {
    gateway = await startGateway({ standing: ['messaging'] });
    operator = operatorOn(gateway);
    ({ accountId } = await gateway.customer());
    [admin, viewer] = [await signedIn(gateway, accountId, 'admin'), await signedIn(gateway, accountId, 'viewer')];
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.close());

  const audit = (): Promise<object[]> =>
    gateway.database.dataSource.query(
      `SELECT target, details, outcome FROM audit_log WHERE account_id = $1 AND action = 'number.username'
       ORDER BY id COLLATE "C" DESC LIMIT 1`,
      [accountId],
    );

  it('are shown to viewers, and changed by admins', async () => {
    expect(await viewer.call('GET', path)).toMatchObject({
      status: 200,
      body: { username: 'switchboard.demo', status: 'approved' },
    });
    expect(gateway.fakes.of(getNumberUsernameV1)).toEqual([{ accountId, phoneNumber }]);
    expect((await viewer.call('POST', path, { body: { username: 'shop' } })).status).toBe(403);
    expect((await admin.call('POST', path, { body: { username: 'shop' } })).status).toBe(200);
    expect(await audit()).toEqual([{ target: phoneNumber, details: { username: 'shop' }, outcome: 'done' }]);
    expect((await admin.call('DELETE', path)).status).toBe(200);
    expect(await audit()).toEqual([{ target: phoneNumber, details: { username: null }, outcome: 'done' }]);
    expect(gateway.fakes.of(setNumberUsernameV1)).toEqual([
      { accountId, phoneNumber, username: 'shop' },
      { accountId, phoneNumber, username: null },
    ]);
  });

  it("are audited as rejected with the platform's explanation", async () => {
    gateway.fakes.answer(setNumberUsernameV1, () => {
      throw new AppError('INVALID_VALUE', { message: 'this user name is not available: choose another one' });
    });
    expect(await admin.call('POST', path, { body: { username: 'taken' } })).toMatchObject({
      status: 422,
      body: { code: 'INVALID_VALUE', message: 'this user name is not available: choose another one' },
    });
    expect(await audit()).toEqual([{ target: phoneNumber, details: { username: 'taken' }, outcome: 'refused' }]);
  });

  it('are rejected without a service call if malformed', async () => {
    expect(await admin.call('POST', path, { body: { username: 'www.shop' } })).toMatchObject({
      status: 422,
      body: { code: 'INVALID_VALUE', details: [{ field: 'username' }] },
    });
    expect((await admin.call('POST', path, { body: {} })).body.code).toBe('MISSING_FIELD');
    expect(gateway.fakes.of(setNumberUsernameV1)).toEqual([]);
  });

  it('belong to the numbers of the account', async () => {
    const unknown = `/console/v1/numbers/num_${'0'.repeat(26)}/username`;
    expect((await viewer.call('GET', unknown)).status).toBe(404);
    expect((await admin.call('DELETE', unknown)).status).toBe(404);
  });

  it('are shown, set and deleted by the operator', async () => {
    const words = ['numbers', 'username', '--account', accountId, '--phone-number', phoneNumber];
    expect(await operator.json(...words)).toMatchObject({ username: 'switchboard.demo', status: 'approved' });
    await operator.json(...words, '--set', 'shop');
    expect(await audit()).toEqual([{ target: phoneNumber, details: { username: 'shop' }, outcome: 'done' }]);
    await operator.json(...words, '--delete');
    expect(gateway.fakes.of(setNumberUsernameV1)).toEqual([
      { accountId, phoneNumber, username: 'shop' },
      { accountId, phoneNumber, username: null },
    ]);
    expect((await operator.run([...words, '--set', 'shop', '--delete'])).err).toContain('cannot be used with');
  });
});
