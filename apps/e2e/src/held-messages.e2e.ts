import { eventually } from '@switchboard/testing';
import { newAccount, type TestAccount } from './support/account';
import { eventProblems } from './support/described';
import { control, freshPhone } from './support/simulator';
import { approved } from './support/templates';
import { type Listener, listenFor } from './support/webhooks';

const HOLD = '/templates/hello_world/hold';
const RELEASE = '/templates/hello_world/release';

describe('messages held by the platform', () => {
  let account: TestAccount;
  let listener: Listener;

  beforeAll(async () => {
    account = await newAccount('Held messages');
    [listener] = await Promise.all([listenFor(account.accountId), approved(account, ['hello_world'])]);
  }, 90_000);
  afterAll(() => listener.receiver.close());

  const send = async () => {
    const { message_id } = await account.api.sendMessage({
      to: freshPhone(),
      type: 'template',
      clientRef: 'order-1',
      template: { name: 'hello_world', language: { code: 'en_US' } },
    });
    return String(message_id);
  };
  const recordOf = async (messageId: string) => (await account.api.listMessages({ messageId })).messages[0];
  const kindsOf = (messageId: string) => listener.about(messageId).map(({ event }) => event);

  it('are reported once and shown as held until released', async () => {
    const { phoneNumber } = account;
    await control('POST', HOLD, { phoneNumber });
    const messageId = await send();
    expect(await recordOf(messageId)).toMatchObject({ status: 'accepted', held: true, sentAt: null });
    await eventually(() => expect(kindsOf(messageId)).toEqual(['message_held']));
    const [event] = listener.about(messageId);
    expect(event).toMatchObject({ reason: 'quality_assessment', clientRef: 'order-1', jobId: null });
    expect(event && (await eventProblems(event))).toBe('');
    expect(await control('POST', RELEASE, { phoneNumber })).toMatchObject({ released: 1 });
    await eventually(async () => expect(await recordOf(messageId)).toMatchObject({ status: 'read', held: false }));
    await eventually(() =>
      expect(kindsOf(messageId).toSorted()).toEqual([
        'message_held',
        'message_status',
        'message_status',
        'message_status',
      ]),
    );
  });

  it('count as accepted in a job until they are released', async () => {
    const { phoneNumber } = account;
    await control('POST', HOLD, { phoneNumber });
    const template = { name: 'hello_world', language: { code: 'en_US' } };
    const { jobId } = await account.api.sendBulk({ recipients: [freshPhone()], type: 'template', template });
    const jobOf = async () => (await account.api.getJob({ jobId })).job;
    await eventually(async () =>
      expect((await account.api.listMessages({ jobId })).messages).toMatchObject([{ held: true }]),
    );
    await eventually(() =>
      expect(listener.events().filter((event) => event.event === 'message_held' && event.jobId === jobId)).toHaveLength(
        1,
      ),
    );
    await eventually(async () =>
      expect(await jobOf()).toMatchObject({ status: 'completed', accepted: 1, sent: 0, read: 0 }),
    );
    await control('POST', RELEASE, { phoneNumber });
    await eventually(async () => expect(await jobOf()).toMatchObject({ accepted: 0, read: 1 }));
  });

  it('fail when the platform drops them', async () => {
    const { phoneNumber } = account;
    await control('POST', HOLD, { phoneNumber, status: 'paused' });
    const messageId = await send();
    await eventually(() =>
      expect(listener.about(messageId)).toMatchObject([{ event: 'message_held', reason: 'paused' }]),
    );
    await control('POST', RELEASE, { phoneNumber, drop: true });
    await eventually(async () =>
      expect(await recordOf(messageId)).toMatchObject({ status: 'failed', held: false, error: { code: 132015 } }),
    );
    const free = await send();
    await eventually(() => expect(kindsOf(free)).toContain('message_status'));
    expect(kindsOf(free)).not.toContain('message_held');
  });
});
