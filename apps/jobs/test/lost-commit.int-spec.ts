import { controlJobV1, newId, stageJobRowsV1, createJobV1 } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { startTcpProxy, type TcpProxy, testDatabaseUrl } from '@switchboard/testing';
import { becomes, create, jobOf, phonesOf, rowsOf, type RunningJobs, startJobs, TEMPLATE } from './support/start-jobs';

describe('bulk job with a lost response', () => {
  let database: TcpProxy;
  let jobs: RunningJobs;

  beforeAll(async () => {
    const { hostname, port } = new URL(testDatabaseUrl());
    database = await startTcpProxy({ host: hostname, port: Number(port || 5432) });
    jobs = await startJobs({}, { reachDatabase: (address) => database.through(address) });
  });
  afterAll(async () => {
    await jobs.stop();
    await database.close();
  });

  const newIds = () => ({ accountId: newId('acc'), jobId: newId('job') });
  const sentTo = (...jobIds: string[]) => {
    const sent = jobs.messaging.sent.filter(({ jobId }) => jobIds.includes(jobId));
    return sent.map(({ to }) => to).sort();
  };

  it('is found by a repeated request after a lost COMMIT response', async () => {
    const ids = newIds();
    const rows = rowsOf([...phonesOf(20), '12']);
    const lost = database.loseAnswer(ids.jobId, 'COMMIT');
    await expect(create(jobs, rows, ids)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await lost;
    // Simulates a repetition with the same Idempotency-Key, from which the gateway derives the same ids.
    expect(await create(jobs, rows, ids)).toMatchObject({ jobId: ids.jobId, total: 21, accepted: 20, rejected: 1 });
    await becomes(jobs, ids, { status: 'completed', accepted: 20 });
    expect(sentTo(ids.jobId)).toEqual(phonesOf(20));
  });

  it('is created once from its parts despite lost responses', async () => {
    const ids = newIds();
    const rows = rowsOf(phonesOf(40));
    const stage = () => jobs.gateway.request(stageJobRowsV1, { ...ids, part: 0, rows: rows.slice(0, 20) });
    const make = () => jobs.gateway.request(createJobV1, { ...ids, message: TEMPLATE, parts: 1, rows: rows.slice(20) });
    const part = database.loseAnswer(ids.jobId);
    // A part alone has no effect and is deleted if no job uses it.
    await expect(stage()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await part;
    await stage();
    const whole = database.loseAnswer(ids.jobId, 'COMMIT');
    await expect(make()).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await whole;
    await stage();
    expect(await make()).toMatchObject({ jobId: ids.jobId, total: 40, accepted: 40 });
    await becomes(jobs, ids, { status: 'completed', accepted: 40 });
    expect(sentTo(ids.jobId)).toEqual(phonesOf(40));
  });

  it('returns OUTCOME_UNKNOWN for a pause that was stored', async () => {
    const ids = newIds();
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    await create(jobs, rowsOf(phonesOf(3)), { ...ids, scheduledAt });
    const control = (action: 'pause' | 'cancel') => jobs.gateway.request(controlJobV1, { ...ids, action });
    const lost = database.loseAnswer(ids.jobId, 'COMMIT');
    await expect(control('pause')).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await lost;
    expect(await jobOf(jobs, ids)).toMatchObject({ status: 'paused' });
  });

  it('is not created later after a 503', async () => {
    const accountId = newId('acc');
    const [refused, repeated] = [newId('job'), newId('job')];
    const rows = rowsOf(phonesOf(15));
    await jobs.stopServices();
    await expect(create(jobs, rows, { accountId, jobId: refused })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await jobs.startService();
    // Without an Idempotency-Key, a repeated request creates another job.
    const created = await create(jobs, rows, { accountId, jobId: repeated });
    await becomes(jobs, created, { status: 'completed', accepted: 15 });
    expect(sentTo(refused, repeated)).toEqual(phonesOf(15));
    const made = await query(jobs.dataSource, 'SELECT id FROM jobs WHERE account_id = $1', [accountId]);
    expect(made).toEqual([{ id: repeated }]);
  });
});
