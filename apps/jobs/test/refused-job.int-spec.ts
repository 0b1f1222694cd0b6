import { newId } from '@switchboard/contracts';
import { becomes, create, phonesOf, rowsOf, type RunningJobs, startJobs } from './support/start-jobs';

const PHONES = phonesOf(3);

describe('bulk request rejected during an outage', () => {
  let jobs: RunningJobs;

  beforeAll(async () => {
    jobs = await startJobs();
  });
  afterAll(() => jobs.stop());

  it('creates one job when repeated without an Idempotency-Key', async () => {
    const accountId = newId('acc');
    const refused = [newId('job'), newId('job')];
    await jobs.stopServices();
    for (const jobId of refused)
      await expect(create(jobs, rowsOf(PHONES), { accountId, jobId })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await jobs.startService();
    // If the rejected requests had left anything in the queue, it would be processed first.
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
