import { addNumberV1, type CheckJobCommand, checkJobV1, ERRORS, newId } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { body, orderMessage, orderUpdate } from './support/jobs';
import {
  ACCESS_TOKEN,
  type RunningMessaging,
  sealed,
  startMessaging,
  type TestAccount,
} from './support/start-messaging';
import { numberObject, writeJson } from './support/upstream';

describe('pre-send job check', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ env: { NUMBER_POLL_SECONDS: '1' } });
    messaging.templates.set(orderUpdate.name, { ...orderUpdate, category: 'marketing' });
  });
  beforeEach(async () => {
    messaging.upstream.behave('accept');
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  const check = (message: object = {}, more: Partial<CheckJobCommand> = {}) =>
    messaging.gateway.request(checkJobV1, {
      accountId: account.accountId,
      message: { ...orderMessage(account), ...message },
      ...more,
    });
  const template = (name: string) => ({ template: { name, language: { code: 'en_US' }, components: body('A-17') } });
  const grant = async (level: string): Promise<void> => {
    const number = { ...numberObject(account.phoneNumberId), throughput: { level } };
    messaging.upstream.serve(`/v24.0/${account.phoneNumberId}`, (_request, response) =>
      writeJson(response, 200, number),
    );
    await messaging.dataSource.query('UPDATE numbers SET poll_due_at = now() WHERE id = $1', [account.numberId]);
  };

  it('returns the number, its throughput and the template', async () => {
    await expect(check({ from: undefined })).resolves.toEqual({
      phoneNumber: account.phoneNumber,
      throughput: 80,
      template: {
        name: 'order_update',
        language: 'en_US',
        category: 'MARKETING',
        bodyVariables: ['1'],
        components: orderUpdate.components,
      },
      faults: [],
      hasSpendCaps: true,
    });
  });

  it('returns the variable names of a template', async () => {
    messaging.templates.set('named', {
      ...orderUpdate,
      name: 'named',
      components: [{ type: 'BODY', text: '{{ name }} bought {{item}}, {{name}}!' }],
    });
    const { template: facts } = await check(template('named'), { recipients: [{ components: [] }] });
    expect(facts?.bodyVariables).toEqual(['name', 'item']);
  });

  it('uses the current template before its change event arrives', async () => {
    messaging.templates.set('held', { ...orderUpdate, name: 'held' });
    await check(template('held'));
    messaging.templates.set('held', { ...orderUpdate, name: 'held', status: 'DISABLED' });
    await expect(check(template('held'))).resolves.toMatchObject({ faults: [] });
    await expect(check(template('held'), { freshTemplate: true })).rejects.toMatchObject({
      code: 'TEMPLATE_NOT_APPROVED',
    });
  });

  it('returns the throughput of the number after reading it', async () => {
    await grant('HIGH');
    await eventually(async () => expect(await check()).toMatchObject({ throughput: 1_000 }));
    await grant('STANDARD');
    await eventually(async () => expect(await check()).toMatchObject({ throughput: 80 }));
    await grant('HIGH');
    const { accountId, phoneNumber, phoneNumberId } = account;
    await messaging.gateway.request(addNumberV1, {
      accountId,
      phoneNumber,
      phoneNumberId,
      wabaId: '100000000000001',
      sealedAccessToken: sealed(ACCESS_TOKEN, accountId),
    });
    expect(await check()).toMatchObject({ throughput: 1_000 });
  });

  it('lists only the recipients with mismatched components', async () => {
    const recipients = [
      { components: body('A-17') },
      { components: [] },
      { components: [...body('B'), ...body('C')] },
      { components: body('D') },
    ];
    const { faults } = await check({}, { recipients });
    const message = (given: number) => `${ERRORS.TEMPLATE_PARAMS_MISMATCH.message}: the body expects 1, ${given} given`;
    expect(faults).toEqual([
      { index: 1, code: 'TEMPLATE_PARAMS_MISMATCH', message: message(0) },
      { index: 2, code: 'TEMPLATE_PARAMS_MISMATCH', message: message(2) },
    ]);
  });

  it('checks the variables shared by all recipients', async () => {
    const shared = (variables: object) => ({
      template: { name: orderUpdate.name, language: { code: 'en_US' }, variables },
    });
    const recipients = [{ components: [] }];
    expect((await check(shared({ '1': 'A-17' }), { recipients })).faults).toEqual([]);
    expect((await check(shared({ '2': 'A-17' }), { recipients })).faults).toMatchObject([
      { index: 0, code: 'TEMPLATE_PARAMS_MISMATCH' },
    ]);
  });

  it('returns no template for a job without one', async () => {
    const text = { type: 'text', text: { body: 'Hello' }, template: undefined };
    await expect(check(text)).resolves.toMatchObject({ phoneNumber: account.phoneNumber, template: null, faults: [] });
    await expect(check(text, { recipients: [{ components: body('A') }] })).resolves.toMatchObject({
      faults: [{ index: 0, code: 'INVALID_PARAMETER' }],
    });
  });

  it('fails like a send for components, template and number', async () => {
    messaging.templates.set('pending', { ...orderUpdate, name: 'pending', status: 'PENDING' });
    const misfit = { template: { ...orderMessage(account).template, components: [] } };
    await expect(check(misfit)).rejects.toMatchObject({ code: 'TEMPLATE_PARAMS_MISMATCH' });
    await expect(check(template('none'))).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' });
    await expect(check(template('pending'))).rejects.toMatchObject({ code: 'TEMPLATE_NOT_APPROVED' });
    const other = await messaging.addAccount();
    await expect(check({ from: other.phoneNumber })).rejects.toThrow('from is not one of your numbers');
    await expect(check({ from: undefined }, { accountId: newId('acc') })).rejects.toThrow(
      'the account has no number to send from',
    );
    messaging.upstream.behave({ refuseWith: 190, status: 401 });
    const sent = messaging.send(account.accountId, { type: 'template', template: orderMessage(account).template });
    await expect(sent).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
    await expect(check()).rejects.toMatchObject({
      code: 'NUMBER_STOPPED',
      message: expect.stringContaining('the business number is stopped: 190 '),
    });
  });
});
