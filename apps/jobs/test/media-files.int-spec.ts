import { controlJobV1, getJobV1, listUsedMediaV1, newId } from '@switchboard/contracts';
import { becomes, create, phonesOf, rowsOf, type RunningJobs, startJobs, TEMPLATE } from './support/start-jobs';

let jobs: RunningJobs;

beforeAll(async () => {
  jobs = await startJobs();
});
afterAll(() => jobs.stop());

const sentOf = ({ jobId }: { jobId: string }): typeof jobs.messaging.sent =>
  jobs.messaging.sent.filter((sent) => sent.jobId === jobId);

describe('uploaded files', () => {
  const accountId = newId('acc');
  const [shared, own] = [newId('med'), newId('med')];
  const header = (id: string) => [{ type: 'header', parameters: [{ type: 'image' as const, image: { id } }] }];
  const messageWith = (more: object) => ({
    ...TEMPLATE,
    template: { name: 'order_update', language: { code: 'en_US' }, ...more },
  });
  const usedOf = async (...mediaIds: string[]): Promise<string[]> => {
    const reply = await jobs.messaging.broker.request(listUsedMediaV1, { accountId, mediaIds });
    return reply.mediaIds.toSorted();
  };

  beforeEach(() => {
    jobs.messaging.media.clear();
    for (const id of [shared, own]) jobs.messaging.media.add(id);
    jobs.messaging.components = [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Sale' },
    ];
  });

  it('are sent and count as used until the job ends', async () => {
    const [first, second, third] = phonesOf(3);
    const rows = [
      { position: 0, phone: first },
      { position: 1, phone: second, variables: { 'header media': own } },
      { position: 2, phone: third, variables: { 'header link': newId('med') } },
    ] as Parameters<typeof create>[1];
    const created = await create(jobs, rows, {
      accountId,
      hold: true,
      message: messageWith({ components: header(shared) }),
    });
    expect(created.errors).toMatchObject([{ index: 2, code: 'MEDIA_NOT_FOUND' }]);
    expect(await usedOf(shared, own, newId('med'))).toEqual([shared, own].toSorted());
    await jobs.gateway.request(controlJobV1, { accountId, jobId: created.jobId, action: 'resume' });
    await becomes(jobs, created, { status: 'completed', accepted: 2, rejected: 1 });
    expect(sentOf(created).map(({ components }) => components)).toEqual([undefined, header(own)]);
    expect(await usedOf(shared, own)).toEqual([]);
  });

  it('reject only the row of a recipient whose file is missing', async () => {
    const [first, second] = phonesOf(2);
    const rows = [
      { position: 0, phone: first, variables: { 'header media': newId('med') } },
      { position: 1, phone: second },
    ] as Parameters<typeof create>[1];
    const created = await create(jobs, rows, { accountId, message: messageWith({ components: header(shared) }) });
    expect(created.errors).toMatchObject([{ index: 0, code: 'MEDIA_NOT_FOUND' }]);
    await becomes(jobs, created, { status: 'completed', accepted: 1, rejected: 1 });
  });

  it('reject the job if deleted while its rows are read', async () => {
    jobs.messaging.whileValidating = () => jobs.messaging.media.delete(shared);
    const message = messageWith({ components: header(shared) });
    const jobId = newId('job');
    const creating = create(jobs, rowsOf(['IN.10000000000000000001']), { accountId, jobId, message });
    await expect(creating).rejects.toMatchObject({ code: 'MEDIA_NOT_FOUND' });
    jobs.messaging.whileValidating = undefined;
    await expect(jobs.gateway.request(getJobV1, { accountId, jobId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await usedOf(shared)).toEqual([]);
  });

  it("reject the job if the job's file is missing", async () => {
    const missing = newId('med');
    for (const more of [{ components: header(missing) }, { variables: { 'header link': missing } }])
      await expect(create(jobs, rowsOf(phonesOf(1)), { accountId, message: messageWith(more) })).rejects.toMatchObject({
        code: 'MEDIA_NOT_FOUND',
      });
  });
});
