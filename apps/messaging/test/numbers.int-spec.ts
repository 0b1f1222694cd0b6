import {
  type AddNumberCommand,
  addNumberV1,
  leaveBusinessV1,
  listNumbersV1,
  newId,
  removeNumberV1,
} from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { ACCESS_TOKEN, type RunningMessaging, sealed, startMessaging } from './support/start-messaging';
import { errorBody, numberObject, writeJson } from './support/upstream';

describe('business numbers', () => {
  let messaging: RunningMessaging;
  let accountId: string;

  beforeAll(async () => {
    messaging = await startMessaging();
  });
  beforeEach(() => {
    accountId = newId('acc');
    messaging.upstream.accept(ACCESS_TOKEN);
  });
  afterAll(() => messaging.stop());

  const add = (fields: Partial<AddNumberCommand> = {}) =>
    messaging.gateway.request(addNumberV1, {
      accountId,
      phoneNumber: '15550783881',
      phoneNumberId: accountId,
      wabaId: '100000000000001',
      sealedAccessToken: sealed(ACCESS_TOKEN, fields.accountId ?? accountId),
      ...fields,
    });
  const list = async () => (await messaging.gateway.request(listNumbersV1, { accountId })).numbers;

  it('are verified upstream, stored and published', async () => {
    const { id } = await add();
    expect(await list()).toEqual([
      {
        id,
        phoneNumber: '15550783881',
        phoneNumberId: accountId,
        qualityRating: 'GREEN',
        messagingLimit: 'TIER_10K',
        portfolioId: null,
        status: 'CONNECTED',
        stoppedReason: null,
        isPrimary: true,
        throughput: null,
        displayName: 'Demo',
        lastCallbackAt: null,
        restrictions: [],
        businessState: null,
        nameDecision: null,
        appHistory: null,
      },
    ]);
    await eventually(() =>
      expect(messaging.numberEvents).toContainEqual(expect.objectContaining({ accountId, numberId: id })),
    );
  });

  it('keep their id when added again with new credentials', async () => {
    const { id } = await add();
    messaging.upstream.accept('EAAG-renewed');
    await expect(add({ sealedAccessToken: sealed('EAAG-renewed', accountId) })).resolves.toEqual({
      id,
      phoneNumber: '15550783881',
    });
    await expect(
      add({ sealedAccessToken: sealed('EAAG-renewed', accountId), phoneNumberId: `${accountId}-new` }),
    ).resolves.toMatchObject({ id });
    expect(await list()).toHaveLength(1);
  });

  it('are listed with the primary number first', async () => {
    await add();
    await Promise.all(
      ['15550000001', '15550000002', '15550000003'].map((phoneNumber) =>
        add({ phoneNumber, phoneNumberId: accountId + phoneNumber }),
      ),
    );
    const numbers = await list();
    expect(numbers).toHaveLength(4);
    expect(numbers[0]?.phoneNumber).toBe('15550783881');
  });

  it('are rejected if they belong to another account', async () => {
    await add();
    await expect(add({ accountId: newId('acc') })).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
  });

  it('are rejected when upstream rejects the token', async () => {
    messaging.upstream.accept('another token');
    await expect(add()).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
    expect(await list()).toEqual([]);
  });

  it('are rejected if they belong to another business account', async () => {
    messaging.upstream.serve('/v24.0/100000000000009/phone_numbers', (_, response) =>
      writeJson(response, 200, { data: [numberObject('another')] }),
    );
    await expect(add({ wabaId: '100000000000009' })).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      details: [{ field: 'wabaId', message: expect.any(String) }],
    });
    messaging.upstream.serve('/v24.0/1/phone_numbers', (_, response) =>
      writeJson(response, 400, errorBody(100, { subcode: 33 })),
    );
    await expect(add({ wabaId: '1' })).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
    expect(await list()).toEqual([]);
  });

  it('publish an event when the last number leaves a business account', async () => {
    const lefts = () => messaging.businessesLeft.filter((left) => left.accountId === accountId);
    await add();
    await add({ phoneNumber: '15550000001', phoneNumberId: `${accountId}-2` });
    await add({ wabaId: '100000000000007' });
    expect(lefts()).toEqual([]);
    await add({ phoneNumber: '15550000001', phoneNumberId: `${accountId}-2`, wabaId: '100000000000007' });
    await eventually(() => expect(lefts()).toMatchObject([{ wabaId: '100000000000001', leftAt: expect.any(String) }]));

    const leave = (wabaId: string) => messaging.gateway.request(leaveBusinessV1, { accountId, wabaId });
    await expect(leave('100000000000007')).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
    await expect(leave('100000000000001')).resolves.toEqual({ wabaId: '100000000000001' });
    for (const phoneNumber of ['15550783881', '15550000001'])
      await messaging.gateway.request(removeNumberV1, { accountId, phoneNumber, dryRun: false });
    await eventually(() => expect(lefts().map(({ wabaId }) => wabaId)).toContain('100000000000007'));
    expect(lefts().filter(({ wabaId }) => wabaId === '100000000000007')).toHaveLength(1);
  });
});
