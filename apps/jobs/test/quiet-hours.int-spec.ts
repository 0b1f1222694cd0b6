import {
  controlJobV1,
  estimateJobV1,
  jobsErasePersonV1,
  listRecipientsV1,
  newId,
  retryFailedV1,
} from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { eventually, startTcpProxy, type TcpProxy, testDatabaseUrl } from '@switchboard/testing';
import { FIND_NEXT_LANE } from '../src/release/release.queries';
import { NUMBER } from './support/messaging';
import { becomes, create, jobOf, rowsOf, type RunningJobs, startJobs, TEMPLATE } from './support/start-jobs';

const quietHours = { from: '20:00', to: '08:00', timeZone: 'UTC' };
/** 04:00 in Germany, 08:30 in India. */
const INDIA_ONLY = Date.parse('2026-01-15T03:00:00Z');
/** 02:00 in Germany, 06:30 in India. */
const NIGHT = Date.parse('2026-01-15T01:00:00Z');
/** 08:00 in Germany. */
const MORNING = Date.parse('2026-01-15T07:00:00Z');
/** 21:00 in Germany. */
const EVENING = Date.parse('2026-01-15T20:00:00Z');

const german = (count: number): string[] =>
  Array.from({ length: count }, (_unused, index) => String(4_915_112_345_000 + index));
const indian = (count: number): string[] =>
  Array.from({ length: count }, (_unused, index) => String(919_812_345_000 + index));
/** Mixes recipients of both countries. */
const mixed = (count: number): string[] => german(count).flatMap((phone, index) => [phone, indian(count)[index] ?? '']);

const sentTo = ({ messaging }: RunningJobs, jobId: string): string[] =>
  messaging.sent.filter((sent) => sent.jobId === jobId).map(({ to }) => to);

interface Ids {
  accountId: string;
  jobId: string;
}
const idsOf = ({ accountId, jobId }: Ids): Ids => ({ accountId, jobId });

describe('a job with quiet hours', () => {
  let jobs: RunningJobs;

  beforeAll(async () => {
    jobs = await startJobs();
  });
  beforeEach(() => {
    jobs.clock.now = INDIA_ONLY;
    jobs.messaging.outcomeOf = () => ({ status: 'accepted', upstreamId: 'wamid.OUT' });
  });
  afterAll(() => jobs.stop());

  const waitingUntilOf = async ({ jobId }: Ids): Promise<Date | null | undefined> =>
    (
      await query<{ until: Date | null }>(jobs.dataSource, 'SELECT waiting_until AS until FROM jobs WHERE id = $1', [
        jobId,
      ])
    )[0]?.until;

  it('sends where it is day, and to the others in order when their quiet hours end', async () => {
    const created = await create(jobs, rowsOf(mixed(20)), { quietHours });
    const job = await becomes(jobs, created, {
      status: 'processing',
      accepted: 20,
      pending: 20,
      waitingRecipients: 20,
    });
    expect(job).toMatchObject({
      quietHours: { from: '20:00', to: '08:00' },
      waitingUntil: '2026-01-15T07:00:00.000Z',
      expectedSeconds: 4 * 3_600 + 1,
      expectedEndAt: '2026-01-15T07:00:01.000Z',
    });
    expect(job.quietHours).not.toHaveProperty('timeZone');
    expect(sentTo(jobs, created.jobId).sort()).toEqual(indian(20));
    jobs.clock.now = MORNING;
    expect(await becomes(jobs, created, { status: 'completed', accepted: 40 })).toMatchObject({
      waitingRecipients: null,
      waitingUntil: null,
    });
    expect(sentTo(jobs, created.jobId).slice(20)).toEqual(german(20));
  });

  it('takes no turns of its number while all of its recipients wait', async () => {
    const created = await create(jobs, rowsOf(german(5)), { quietHours });
    await eventually(async () => expect(await waitingUntilOf(created)).toEqual(new Date(MORNING)));
    const isDue = async (at: number): Promise<number> =>
      (await query(jobs.dataSource, FIND_NEXT_LANE, [new Date(at)])).length;
    expect(await isDue(MORNING - 1)).toBe(0);
    expect(await isDue(MORNING)).toBe(1);
    const other = await create(jobs, rowsOf(indian(50)), { accountId: created.accountId });
    await becomes(jobs, other, { status: 'completed', accepted: 50 });
    expect(sentTo(jobs, created.jobId)).toEqual([]);
    jobs.clock.now = MORNING;
    await becomes(jobs, created, { status: 'completed', accepted: 5 });
  });

  it('gives its share of the number to other jobs while only some recipients wait', async () => {
    const accountId = newId('acc');
    const waiting = await create(jobs, rowsOf([...german(500), ...indian(1)]), { accountId, quietHours });
    const other = await create(jobs, rowsOf(indian(100)), { accountId });
    await becomes(jobs, other, { status: 'completed', accepted: 100 });
    await becomes(jobs, waiting, { status: 'processing', accepted: 1, waitingRecipients: 500 });
    await jobs.gateway.request(controlJobV1, { ...idsOf(waiting), action: 'cancel' });
    await becomes(jobs, waiting, { status: 'cancelled', cancelled: 500, pending: 0 });
    expect(
      await query(jobs.dataSource, 'SELECT 1 FROM recipients WHERE is_waiting AND job_id = $1', [waiting.jobId]),
    ).toEqual([]);
  });

  it('stays paused when quiet hours end, and continues when it is resumed', async () => {
    const created = await create(jobs, rowsOf(german(5)), { quietHours });
    await eventually(async () => expect(await waitingUntilOf(created)).toEqual(new Date(MORNING)));
    await jobs.gateway.request(controlJobV1, { ...idsOf(created), action: 'pause' });
    jobs.clock.now = MORNING;
    const other = await create(jobs, rowsOf(indian(5)), { accountId: created.accountId });
    await becomes(jobs, other, { status: 'completed' });
    expect(sentTo(jobs, created.jobId)).toEqual([]);
    await jobs.gateway.request(controlJobV1, { ...idsOf(created), action: 'resume' });
    await becomes(jobs, created, { status: 'completed', accepted: 5 });
  });

  it('fails recipients that still wait when the job expires', async () => {
    const created = await create(jobs, rowsOf(mixed(3)), { quietHours });
    await becomes(jobs, created, { accepted: 3, waitingRecipients: 3 });
    await query(jobs.dataSource, "UPDATE jobs SET expire_at = now() - interval '1 second' WHERE id = $1", [
      created.jobId,
    ]);
    await becomes(jobs, created, { status: 'completed', accepted: 3, failed: 3 });
    expect(sentTo(jobs, created.jobId).sort()).toEqual(indian(3));
  });

  it('applies quiet hours to a message that was throttled, and keeps its id', async () => {
    jobs.clock.now = MORNING;
    jobs.messaging.outcomeOf = () => {
      jobs.clock.now = EVENING;
      return { status: 'throttled', retryAfterMs: 1, scope: 'recipient' };
    };
    const created = await create(jobs, rowsOf(german(1)), { quietHours });
    await eventually(async () => {
      expect(sentTo(jobs, created.jobId)).toHaveLength(1);
      expect(await waitingUntilOf(created)).toEqual(new Date('2026-01-16T07:00:00Z'));
    });
    expect(await jobOf(jobs, created)).toMatchObject({ waitingRecipients: 1 });
    jobs.messaging.outcomeOf = () => ({ status: 'accepted', upstreamId: 'wamid.OUT' });
    jobs.clock.now = Date.parse('2026-01-16T07:00:00Z');
    await becomes(jobs, created, { status: 'completed', accepted: 1 });
    const ids = jobs.messaging.sent.filter(({ jobId }) => jobId === created.jobId).map(({ messageId }) => messageId);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it('spread over several numbers sends to each recipient once', async () => {
    const created = await create(jobs, rowsOf(mixed(30)), { quietHours, numbers: [NUMBER, '15550783882'] });
    await becomes(jobs, created, { status: 'processing', accepted: 30, waitingRecipients: 30 });
    jobs.clock.now = MORNING;
    await becomes(jobs, created, { status: 'completed', accepted: 60 });
    expect(sentTo(jobs, created.jobId).sort()).toEqual([...german(30), ...indian(30)].sort());
  });

  it('is not reached by an erased contact', async () => {
    const created = await create(jobs, rowsOf(german(3)), { quietHours });
    await becomes(jobs, created, { status: 'processing', waitingRecipients: 3 });
    const erase = { accountId: created.accountId, phones: german(1), dryRun: false };
    await jobs.gateway.request(jobsErasePersonV1, erase);
    await becomes(jobs, created, { pending: 2, cancelled: 1, waitingRecipients: 2 });
    jobs.clock.now = MORNING;
    await becomes(jobs, created, { status: 'completed', accepted: 2, cancelled: 1 });
    expect(sentTo(jobs, created.jobId)).toEqual(german(3).slice(1));
  });

  it('passes its quiet hours on to the job that retries failed recipients', async () => {
    jobs.clock.now = MORNING;
    const error = { code: 1, title: '', message: '', category: 'other' as const, retriable: false };
    jobs.messaging.outcomeOf = () => ({ status: 'failed', error });
    const failed = await create(jobs, rowsOf(mixed(2)), { quietHours });
    await becomes(jobs, failed, { status: 'completed', failed: 4 });
    jobs.messaging.outcomeOf = () => ({ status: 'accepted', upstreamId: 'wamid.OUT' });
    jobs.clock.now = INDIA_ONLY;
    const retry = { ...idsOf(failed), jobId: newId('job') };
    await jobs.gateway.request(retryFailedV1, { ...idsOf(failed), newJobId: retry.jobId });
    await becomes(jobs, retry, { status: 'processing', accepted: 2, waitingRecipients: 2 });
    jobs.clock.now = MORNING;
    await becomes(jobs, retry, { status: 'completed', accepted: 4 });
  });

  it('reports on hold how many recipients would wait and the expected end', async () => {
    const created = await create(jobs, rowsOf([...mixed(4), '12']), { quietHours, hold: true });
    expect(await jobOf(jobs, created)).toMatchObject({
      status: 'paused',
      pauseReason: 'HELD',
      waitingRecipients: 4,
      waitingUntil: '2026-01-15T07:00:00.000Z',
      expectedEndAt: '2026-01-15T07:00:01.000Z',
    });
    const { recipients } = await jobs.gateway.request(listRecipientsV1, { ...idsOf(created), page: 1, limit: 20 });
    expect(recipients.map(({ status }) => status)).toEqual([...Array<string>(8).fill('pending'), 'rejected']);
  });

  it('is estimated with the wait', async () => {
    const command = { accountId: newId('acc'), jobId: newId('job'), message: TEMPLATE, rows: rowsOf(mixed(4)) };
    const plain = await jobs.gateway.request(estimateJobV1, command);
    expect(plain).toMatchObject({ durationSeconds: 1, waitingRecipients: null, waitingUntil: null });
    expect(await jobs.gateway.request(estimateJobV1, { ...command, quietHours })).toMatchObject({
      waitingRecipients: 4,
      waitingUntil: '2026-01-15T07:00:00.000Z',
      durationSeconds: 4 * 3_600 + 1,
    });
    const scheduledAt = new Date(MORNING).toISOString();
    expect(await jobs.gateway.request(estimateJobV1, { ...command, quietHours, scheduledAt })).toMatchObject({
      waitingRecipients: 0,
      waitingUntil: null,
      durationSeconds: 1,
    });
  });
});

describe('a job with quiet hours in two processes', () => {
  let database: TcpProxy;
  let jobs: RunningJobs;

  beforeAll(async () => {
    const { hostname, port } = new URL(testDatabaseUrl());
    database = await startTcpProxy({ host: hostname, port: Number(port || 5432) });
    jobs = await startJobs({ JOBS_MAX_OUTSTANDING: 40 }, { reachDatabase: (address) => database.through(address) });
    await jobs.startService();
  });
  afterAll(async () => {
    await jobs.stop();
    await database.close();
  });

  /**
   * Returns the recipient of each message in order of arrival. A task may arrive twice if the database is lost after it
   * was published. Messaging then finds the message by its id.
   */
  const messagesOf = ({ jobId }: Ids): string[] => {
    const sent = jobs.messaging.sent.filter((each) => each.jobId === jobId);
    return [...new Map(sent.map(({ messageId, to }) => [messageId, to])).values()];
  };

  it('loses and repeats no recipient when both lose the database during the release', async () => {
    jobs.clock.now = NIGHT;
    const created = await create(jobs, rowsOf(mixed(150)), { quietHours });
    await becomes(jobs, created, { status: 'processing', accepted: 0, waitingRecipients: 300 });
    jobs.clock.now = INDIA_ONLY;
    const committed = database.loseAnswer(created.jobId, 'COMMIT');
    await committed;
    for (const least of [60, 100]) {
      await eventually(() => expect(messagesOf(created).length).toBeGreaterThanOrEqual(least));
      database.drop();
    }
    await becomes(jobs, created, { status: 'processing', accepted: 150, waitingRecipients: 150 });
    expect(messagesOf(created).sort()).toEqual(indian(150));
    await jobs.stopServices();
    jobs.clock.now = MORNING;
    await Promise.all([jobs.startService(), jobs.startService()]);
    await eventually(() => expect(messagesOf(created).length).toBeGreaterThanOrEqual(200));
    database.drop();
    await becomes(jobs, created, { status: 'completed', accepted: 300 });
    expect(messagesOf(created).slice(150).sort()).toEqual(german(150));
    const regions = await query(
      jobs.dataSource,
      'SELECT region, pending FROM job_regions WHERE job_id = $1 ORDER BY 1',
      [created.jobId],
    );
    expect(regions).toEqual([
      { region: 'DE', pending: 0 },
      { region: 'IN', pending: 0 },
    ]);
    const releases = 'SELECT max(releases)::int AS most FROM recipients WHERE job_id = $1';
    expect(await query(jobs.dataSource, releases, [created.jobId])).toEqual([{ most: 1 }]);
  });
});
