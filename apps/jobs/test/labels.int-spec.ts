import { listRecipientsV1 } from '@switchboard/contracts';
import { create, rowsOf, type RunningJobs, startJobs } from './support/start-jobs';

let jobs: RunningJobs;

beforeAll(async () => {
  jobs = await startJobs();
});
afterAll(() => jobs.stop());

it('keeps valid labels of rejected rows and truncates invalid ones', async () => {
  const [valid, long] = ['😀'.repeat(128), '😀'.repeat(129)];
  const [accepted, rejected, tooLong] = rowsOf(['919800000001', '12', '919800000002']);
  const { accountId, jobId } = await create(jobs, [
    { ...accepted, clientRef: valid },
    { ...rejected, clientRef: valid },
    { ...tooLong, clientRef: long },
  ] as ReturnType<typeof rowsOf>);
  const { recipients } = await jobs.gateway.request(listRecipientsV1, { accountId, jobId, page: 1, limit: 10 });
  expect(recipients.map(({ clientRef }) => clientRef)).toEqual([valid, valid, '😀'.repeat(64)]);
});
