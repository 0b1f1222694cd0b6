import { newId } from '@switchboard/contracts';
import { becomes, create, phonesOf, rowsOf, type RunningJobs, startJobs } from './support/start-jobs';

const PHONES = phonesOf(3);

describe('a bulk request that was refused while the service was away', () => {
  let jobs: RunningJobs;

  beforeAll(async () => {
    jobs = await startJobs();
  });
  afterAll(() => jobs.stop());

  it('and is repeated without a key when it is back makes one job, and each recipient gets one message', async () => {
    const accountId = newId('acc');
    const refused = [newId('job'), newId('job')];
    await jobs.stopServices();
    for (const jobId of refused)
      await expect(create(jobs, rowsOf(PHONES), { accountId, jobId })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await jobs.startService();
    // What the refused requests left in the queue would be taken before it.
    const { jobId } = await create(jobs, rowsOf(PHONES), { accountId });
    await becomes(jobs, { accountId, jobId }, { status: 'completed', accepted: PHONES.length });
    expect(await jobs.dataSource.query('SELECT id FROM jobs WHERE account_id = $1', [accountId])).toEqual([
      { id: jobId },
    ]);
    expect(
      jobs.messaging.sent
        .filter((send) => send.jobId === jobId)
        .map(({ to }) => to)
        .sort(),
    ).toEqual(PHONES);
    expect(jobs.messaging.sent.filter((send) => refused.includes(send.jobId ?? ''))).toEqual([]);
  });
});
