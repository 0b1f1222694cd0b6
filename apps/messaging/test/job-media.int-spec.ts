import { checkJobV1, newId } from '@switchboard/contracts';
import { recipients, release, told } from './support/jobs';
import { addFile, sale } from './support/media-files';
import { type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

describe('uploaded files of a job', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ replicas: 2, upstreamTimeoutMs: 4_000 });
  });
  beforeEach(async () => {
    messaging.upstream.behave('accept');
    messaging.upstream.beforeUpload();
    messaging.templates.set(sale.name, sale);
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  const header = (id: string) => [{ type: 'header', parameters: [{ type: 'image' as const, image: { id } }] }];
  const messageWith = (id: string) => ({
    type: 'template' as const,
    from: account.phoneNumber,
    template: { name: sale.name, language: { code: 'en_US' }, components: header(id) },
  });
  const uploadsOfNumber = () =>
    messaging.upstream.uploads.filter(({ phoneNumberId }) => phoneNumberId === account.phoneNumberId);
  const sendsOfNumber = () =>
    messaging.upstream.sends.filter(({ phoneNumberId }) => phoneNumberId === account.phoneNumberId);

  it('are uploaded once by two processes', async () => {
    const { id } = await addFile(messaging, account.accountId);
    const jobId = newId('job');
    const tasks = Array.from({ length: 10 }, () => recipients(50));
    for (const part of tasks) await release(messaging, account, { jobId, message: messageWith(id), recipients: part });
    const changes = await told(messaging, jobId, 500, { timeoutMs: 120_000 });
    expect(changes.every(({ status }) => status === 'accepted')).toBe(true);
    expect(uploadsOfNumber()).toHaveLength(1);
    expect(sendsOfNumber()).toHaveLength(500);
  }, 150_000);

  it('are uploaded again once when the platform forgets them', async () => {
    const { id } = await addFile(messaging, account.accountId);
    const first = await release(messaging, account, { message: messageWith(id), recipients: recipients(20) });
    await told(messaging, first.task.jobId, 20);
    messaging.upstream.forgetMedia();
    const second = await release(messaging, account, { message: messageWith(id), recipients: recipients(20) });
    const changes = await told(messaging, second.task.jobId, 20);
    expect(changes.map(({ status }) => status)).toEqual(Array<string>(20).fill('accepted'));
    expect(uploadsOfNumber()).toHaveLength(2);
  });

  it('fail only the recipients whose file is missing', async () => {
    const { id } = await addFile(messaging, account.accountId);
    const [first, second] = recipients(2);
    const own = [first, { ...second, components: header(newId('med')) }] as ReturnType<typeof recipients>;
    const { task, ids } = await release(messaging, account, { message: messageWith(id), recipients: own });
    const changes = await told(messaging, task.jobId, 2);
    const byId = new Map(changes.map((change) => [change.messageId, change]));
    expect(ids.map((each) => [byId.get(each)?.status, byId.get(each)?.error?.reason])).toEqual([
      ['accepted', undefined],
      ['failed', 'MEDIA_NOT_FOUND'],
    ]);
  });

  it('requeue the recipients if the upload gets no response', async () => {
    const { id } = await addFile(messaging, account.accountId);
    messaging.upstream.behave({ refuseWith: 2, status: 503 });
    const { task } = await release(messaging, account, { message: messageWith(id) });
    const changes = await told(messaging, task.jobId, 3);
    expect(changes.map(({ status }) => status)).toEqual(['throttled', 'throttled', 'throttled']);
    expect(sendsOfNumber()).toEqual([]);
  });

  it('are checked for the job and for each recipient', async () => {
    const { id } = await addFile(messaging, account.accountId);
    const other = await messaging.addAccount();
    const foreign = await addFile(messaging, other.accountId);
    const check = (message: object, components: object[][] = []) =>
      messaging.gateway.request(checkJobV1, {
        accountId: account.accountId,
        message,
        recipients: components.map((each) => ({ components: each })),
      } as never);
    await expect(check(messageWith(foreign.id))).rejects.toMatchObject({
      code: 'MEDIA_NOT_FOUND',
      details: [{ field: 'template.components.0.parameters.0.image.id' }],
    });
    expect((await check(messageWith(id), [header(id), header(foreign.id)])).faults).toMatchObject([
      {
        index: 1,
        code: 'MEDIA_NOT_FOUND',
        message: expect.stringContaining('components.0.parameters.0.image.id') as string,
      },
    ]);
    await expect(
      check({ type: 'image', from: account.phoneNumber, image: { id: newId('med') } }),
    ).rejects.toMatchObject({
      code: 'MEDIA_NOT_FOUND',
    });
  });
});
