import { eventually } from '@switchboard/testing';
import { newAccount, type TestAccount } from './support/account';
import { eventProblems } from './support/described';
import { done } from './support/installation';
import { approved } from './support/templates';
import { control, freshPhone, receivedUpstream } from './support/simulator';
import { type Listener, listenFor } from './support/webhooks';

/** The upstream platform rejects sends to this number because of invalid credentials. */
const REFUSES_CREDENTIALS = '15005550190';

describe('business number', () => {
  let account: TestAccount;
  let listener: Listener;

  beforeAll(async () => {
    account = await newAccount('Numbers');
    [listener] = await Promise.all([listenFor(account.accountId), approved(account, ['hello_world'])]);
  }, 90_000);
  afterAll(() => listener.receiver.close());

  const sendTo = (to: string) =>
    account.api.sendMessage({ to, type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } });
  const refusalOf = (send: Promise<unknown>): Promise<unknown> =>
    send.then(
      () => 'sent',
      (error: unknown) => error,
    );
  const numbers = async () => (await account.api.getMe()).numbers;
  const qualityEvents = () => listener.events().filter(({ event }) => event === 'phone_number_quality');

  it('announces a worse rating once and shows it in /me', async () => {
    await eventually(async () =>
      expect(await numbers()).toMatchObject([
        { phoneNumber: account.phoneNumber, qualityRating: 'GREEN', status: expect.any(String) },
      ]),
    );
    await control('POST', `/numbers/${account.phoneNumber}/quality`, { rating: 'YELLOW', event: 'FLAGGED' });
    await eventually(async () =>
      expect(await numbers()).toMatchObject([{ phoneNumber: account.phoneNumber, qualityRating: 'YELLOW' }]),
    );
    await eventually(() => expect(qualityEvents()).toHaveLength(1));
    const [event] = qualityEvents();
    expect(event).toEqual({
      event: 'phone_number_quality',
      phoneNumber: account.phoneNumber,
      qualityRating: 'YELLOW',
      previousQualityRating: 'GREEN',
      messagingLimit: expect.any(String),
      timestamp: expect.any(String),
      eventId: expect.stringMatching(/^evt_/),
    });
    expect(event && (await eventProblems(event))).toBe('');
    expect(await numbers()).toMatchObject([
      { messagingLimit: event && 'messagingLimit' in event ? event.messagingLimit : '' },
    ]);
  });

  it('stops with rejected credentials until an operator resumes it', async () => {
    await sendTo(freshPhone());
    expect(await refusalOf(sendTo(REFUSES_CREDENTIALS))).toMatchObject({ status: 502, code: 'UPSTREAM_ERROR' });
    expect(await numbers()).toMatchObject([{ status: 'STOPPED' }]);
    const other = freshPhone();
    expect(await refusalOf(sendTo(other))).toMatchObject({
      status: 409,
      code: 'NUMBER_STOPPED',
      message: expect.stringContaining('the business number is stopped: 190'),
    });
    expect(await receivedUpstream(other)).toEqual([]);

    await done('numbers', 'resume', '--account', account.accountId, '--phone-number', account.phoneNumber);
    expect((await numbers())[0]?.status).not.toBe('STOPPED');
    await sendTo(other);
    expect(await receivedUpstream(other)).toHaveLength(1);
  });
});
