import { createAudienceJobV1, newId } from '@switchboard/contracts';
import { phonesOf, type RunningJobs, startJobs, TEMPLATE } from './support/start-jobs';

const CONTACTS = 100_000;

describe('jobs from 100,000 contacts', () => {
  let jobs: RunningJobs;

  beforeAll(async () => {
    jobs = await startJobs();
  });
  afterAll(() => jobs.stop());

  it('are created with their names within the time limit of the request', async () => {
    jobs.messaging.bodyVariables = ['1'];
    jobs.messaging.audience = phonesOf(CONTACTS).map((recipient, index) => ({ recipient, name: `Contact ${index}` }));
    const startedAt = performance.now();
    expect(
      await jobs.gateway.request(createAudienceJobV1, {
        accountId: newId('acc'),
        jobId: newId('job'),
        message: TEMPLATE,
        hold: true,
        audience: { maxRecipients: CONTACTS, nameVariables: ['1'] },
      }),
    ).toMatchObject({ total: CONTACTS, accepted: CONTACTS });
    process.stdout.write(`created in ${Math.round(performance.now() - startedAt)} ms\n`);
    expect(jobs.messaging.audiencePages).toHaveLength(CONTACTS / 1_000);
  }, 120_000);
});
