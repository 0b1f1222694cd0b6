import {
  AppError,
  controlJobV1,
  listRecipientsV1,
  newId,
  type RecipientRecord,
  retryFailedV1,
} from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { eventually } from '@switchboard/testing';
import { becomes, create, jobOf, phonesOf, rowsOf, type RunningJobs, startJobs } from './support/start-jobs';

let jobs: RunningJobs;
const NUMBERS = ['15550000001', '15550000002', '15550000003'] as const;
const [FIRST, SECOND, THIRD] = NUMBERS;

beforeAll(async () => {
  jobs = await startJobs();
  await jobs.startService();
});
beforeEach(() => {
  jobs.messaging.sent.length = 0;
  jobs.messaging.throughput = 200;
  jobs.messaging.throughputs.clear();
  jobs.messaging.limits.clear();
  jobs.messaging.faultOfNumber = () => undefined;
  jobs.messaging.outcomeOf = () => ({ status: 'accepted', upstreamId: 'wamid.OUT' });
});
afterAll(() => jobs.stop());

const ids = ({ accountId, jobId }: { accountId: string; jobId: string }): { accountId: string; jobId: string } => ({
  accountId,
  jobId,
});

/** Counts the messages of a job by sending number. */
function spreadOf({ jobId }: { jobId: string }): Record<string, number> {
  const sent = jobs.messaging.sent.filter((message) => message.jobId === jobId);
  const counts: Record<string, number> = {};
  for (const { from = '' } of sent) counts[from] = (counts[from] ?? 0) + 1;
  return counts;
}

async function recipientsOf(job: { accountId: string; jobId: string }): Promise<RecipientRecord[]> {
  const all: RecipientRecord[] = [];
  for (let page = 1; ; page += 1) {
    const { recipients, hasNext } = await jobs.gateway.request(listRecipientsV1, { ...ids(job), page, limit: 100 });
    all.push(...recipients);
    if (!hasNext) return all;
  }
}

describe('a job over several numbers', () => {
  it('spreads recipients by throughput and records their numbers', async () => {
    jobs.messaging.throughputs.set(FIRST, 400).set(SECOND, 200).set(THIRD, 200);
    const created = await create(jobs, rowsOf(phonesOf(400)), { numbers: [...NUMBERS] });
    const job = await becomes(jobs, created, { status: 'completed', accepted: 400 });
    const spread = spreadOf(created);
    // A number may exceed its share by one batch: the first number by 80, the others by 40.
    expect(spread[FIRST]).toBeGreaterThanOrEqual(200 - 80);
    expect(spread[FIRST]).toBeLessThanOrEqual(200 + 80);
    for (const number of [SECOND, THIRD]) {
      expect(spread[number]).toBeGreaterThanOrEqual(100 - 80);
      expect(spread[number]).toBeLessThanOrEqual(100 + 40);
    }
    expect(job).toMatchObject({
      from: null,
      numbers: NUMBERS.map((phoneNumber) => ({
        phoneNumber,
        stoppedReason: null,
        recipients: spread[phoneNumber],
        failed: 0,
      })),
    });
    const byTo = new Map(jobs.messaging.sent.map(({ to, from }) => [to, from]));
    for (const { phone, from } of await recipientsOf(created)) expect(from).toBe(byTo.get(phone ?? ''));
  });

  it('continues with the other numbers when one is stopped', async () => {
    jobs.messaging.outcomeOf = ({ from, to }) => {
      if (from === SECOND) return { status: 'held', reason: 'NUMBER_STOPPED' };
      return to.endsWith('7')
        ? { status: 'failed', error: { code: 1, title: '', message: '', category: 'other', retriable: false } }
        : { status: 'accepted', upstreamId: 'wamid.OUT' };
    };
    const created = await create(jobs, rowsOf(phonesOf(150)), { numbers: [...NUMBERS] });
    const job = await becomes(jobs, created, { status: 'completed', accepted: 135, failed: 15, pending: 0 });
    const [first, second, third] = job.numbers ?? [];
    expect(second).toEqual({ phoneNumber: SECOND, stoppedReason: 'NUMBER_STOPPED', recipients: 0, failed: 0 });
    expect((first?.recipients ?? 0) + (third?.recipients ?? 0)).toBe(150);
    expect((first?.failed ?? 0) + (third?.failed ?? 0)).toBe(15);
    const delivered = jobs.messaging.sent.filter(({ from, jobId }) => jobId === created.jobId && from !== SECOND);
    expect(new Set(delivered.map(({ to }) => to)).size).toBe(150);
    expect(delivered).toHaveLength(150);
    expect(jobs.notices.filter(({ name }) => name === 'jobs.job.paused.v1')).toEqual([]);
  });

  it('pauses when all numbers are stopped, and resumes with one', async () => {
    jobs.messaging.outcomeOf = () => ({ status: 'held', reason: 'NUMBER_STOPPED' });
    const created = await create(jobs, rowsOf(phonesOf(60)), { numbers: [FIRST, SECOND] });
    await becomes(jobs, created, { status: 'paused', pauseReason: 'NUMBER_STOPPED', pending: 60 });
    jobs.messaging.outcomeOf = () => ({ status: 'accepted', upstreamId: 'wamid.OUT' });
    jobs.messaging.faultOfNumber = (number) => (number === FIRST ? new AppError('NUMBER_STOPPED') : undefined);
    await jobs.gateway.request(controlJobV1, { ...ids(created), action: 'resume' });
    const job = await becomes(jobs, created, { status: 'completed', accepted: 60 });
    expect(job.numbers).toMatchObject([
      { phoneNumber: FIRST, stoppedReason: 'NUMBER_STOPPED', recipients: 0 },
      { phoneNumber: SECOND, stoppedReason: null, recipients: 60 },
    ]);
  });

  it('moves throttled recipients to the other numbers', async () => {
    jobs.messaging.outcomeOf = ({ from }) =>
      from === FIRST ? { status: 'throttled', retryAfterMs: 60_000 } : { status: 'accepted', upstreamId: 'wamid.OUT' };
    const created = await create(jobs, rowsOf(phonesOf(80)), { numbers: [FIRST, SECOND] });
    const job = await becomes(jobs, created, { status: 'completed', accepted: 80 });
    expect(job.numbers).toMatchObject([{ recipients: 0 }, { recipients: 80 }]);
    const [lane] = await query<{ rate: number }>(
      jobs.dataSource,
      'SELECT rate FROM lanes WHERE account_id = $1 AND phone_number = $2',
      [created.accountId, FIRST],
    );
    expect(lane?.rate).toBeLessThan(200);
  });

  it('sends from the number that messaging returns', async () => {
    jobs.messaging.outcomeOf = ({ from, to }) => {
      const open = Number(to) % 2 === 0 ? FIRST : SECOND;
      return from === open
        ? { status: 'accepted', upstreamId: 'wamid.OUT' }
        : { status: 'throttled', scope: 'recipient', retryAfterMs: 0, from: open };
    };
    const message = { type: 'text' as const, text: { body: 'Hi' } };
    const created = await create(jobs, rowsOf(phonesOf(40)), { numbers: [FIRST, SECOND], message });
    const job = await becomes(jobs, created, { status: 'completed', accepted: 40 });
    expect(job.numbers).toMatchObject([{ recipients: 20 }, { recipients: 20 }]);
    for (const { phone, from } of await recipientsOf(created))
      expect(from).toBe(Number(phone) % 2 === 0 ? FIRST : SECOND);
    expect(jobs.messaging.sent.at(0)?.numbers).toEqual([FIRST, SECOND]);
  });

  it('stops the number that held a message, not its current one', async () => {
    jobs.messaging.outcomeOf = () => undefined;
    const created = await create(jobs, rowsOf(phonesOf(1)), { numbers: [FIRST, SECOND] });
    const held = await eventually(() => {
      const sent = jobs.messaging.sent.find(({ jobId }) => jobId === created.jobId);
      if (!sent?.from) throw new Error('not released yet');
      return { ...sent, from: sent.from };
    });
    const other = held.from === FIRST ? SECOND : FIRST;
    await query(jobs.dataSource, 'UPDATE recipients SET business_number = $2 WHERE job_id = $1', [
      created.jobId,
      other,
    ]);
    jobs.messaging.outcomeOf = () => ({ status: 'accepted', upstreamId: 'wamid.OUT' });
    await jobs.messaging.report(ids(created), [
      {
        messageId: held.messageId,
        status: 'held',
        reason: 'NUMBER_STOPPED',
        heldNumber: held.from,
        at: new Date().toISOString(),
      },
    ]);
    const job = await becomes(jobs, created, { status: 'completed', accepted: 1 });
    const reasons = new Map(job.numbers?.map(({ phoneNumber, stoppedReason }) => [phoneNumber, stoppedReason]));
    expect([reasons.get(held.from), reasons.get(other)]).toEqual(['NUMBER_STOPPED', null]);
  });

  it('records the number that sent the message of a repeated task', async () => {
    jobs.messaging.outcomeOf = () => ({ status: 'accepted', upstreamId: 'wamid.OUT', from: SECOND });
    const created = await create(jobs, rowsOf(phonesOf(10)), { numbers: [FIRST, SECOND] });
    const job = await becomes(jobs, created, { status: 'completed', accepted: 10 });
    expect(job.numbers).toMatchObject([{ recipients: 0 }, { recipients: 10 }]);
  });

  it('is not created if a number cannot send', async () => {
    jobs.messaging.faultOfNumber = (number) => (number === SECOND ? new AppError('TEMPLATE_NOT_APPROVED') : undefined);
    await expect(create(jobs, rowsOf(phonesOf(3)), { numbers: [...NUMBERS] })).rejects.toMatchObject({
      code: 'TEMPLATE_NOT_APPROVED',
      message: expect.stringContaining(SECOND),
    });
  });

  it('retries failed recipients from all numbers that can send', async () => {
    jobs.messaging.outcomeOf = () => ({
      status: 'failed',
      error: { code: 1, title: '', message: '', category: 'other', retriable: true },
    });
    const created = await create(jobs, rowsOf(phonesOf(20)), { numbers: [...NUMBERS] });
    await becomes(jobs, created, { status: 'completed', failed: 20 });
    jobs.messaging.outcomeOf = () => ({ status: 'accepted', upstreamId: 'wamid.OUT' });
    jobs.messaging.faultOfNumber = (number) => (number === THIRD ? new AppError('NUMBER_STOPPED') : undefined);
    const newJobId = newId('job');
    await jobs.gateway.request(retryFailedV1, { ...ids(created), newJobId });
    const job = await becomes(jobs, { accountId: created.accountId, jobId: newJobId }, { accepted: 20 });
    expect(job.numbers?.map(({ phoneNumber }) => phoneNumber)).toEqual([FIRST, SECOND]);
  });

  it('sends from other numbers once a portfolio reaches its limit', async () => {
    const limits = { portfolio: '300000000000001', messagingLimit: 250, remaining: 30 };
    jobs.messaging.limits.set(FIRST, limits).set(SECOND, limits);
    const created = await create(jobs, rowsOf(phonesOf(150)), { numbers: [...NUMBERS], hold: true });
    await query(
      jobs.dataSource,
      `UPDATE lanes SET portfolio = $2, messaging_limit = 250, left_today = 30, limits_at = now(),
         limits_due_at = now() + interval '1 minute'
       WHERE account_id = $1 AND phone_number = ANY ($3)`,
      [created.accountId, limits.portfolio, [FIRST, SECOND]],
    );
    await jobs.gateway.request(controlJobV1, { ...ids(created), action: 'resume' });
    await becomes(jobs, created, { status: 'completed', accepted: 150 });
    const { [FIRST]: first = 0, [SECOND]: second = 0, [THIRD]: third } = spreadOf(created);
    expect(first + second).toBe(30);
    expect(third).toBe(120);
  });

  it("reads its numbers' limits and estimates its end", async () => {
    jobs.messaging.throughput = 100;
    jobs.messaging.outcomeOf = () => undefined;
    jobs.messaging.limits.set(FIRST, { portfolio: '300000000000001', messagingLimit: 250, remaining: 100 });
    const created = await create(jobs, rowsOf(phonesOf(1_000)), { numbers: [FIRST, SECOND] });
    await eventually(
      async () =>
        expect(
          await query(jobs.dataSource, 'SELECT left_today FROM lanes WHERE account_id = $1 ORDER BY phone_number', [
            created.accountId,
          ]),
        ).toEqual([{ left_today: 100 }, { left_today: null }]),
      // A failed read is repeated after 20 seconds.
      { timeoutMs: 60_000 },
    );
    const { expectedSeconds, expectedEndAt } = await jobOf(jobs, created);
    // The second number sends 100 per second. The first one may send at most 100 more.
    expect(expectedSeconds).toBeGreaterThanOrEqual(9);
    expect(expectedSeconds).toBeLessThanOrEqual(10);
    expect(Date.parse(expectedEndAt ?? '')).toBeGreaterThan(Date.now());
    await jobs.gateway.request(controlJobV1, { ...ids(created), action: 'cancel' });
    expect((await jobOf(jobs, created)).expectedSeconds).toBeNull();
  }, 90_000);

  it('sends from a stopped number again after its recovery', async () => {
    jobs.messaging.throughput = 10;
    let isStopped = true;
    jobs.messaging.outcomeOf = ({ from }) =>
      from === SECOND && isStopped
        ? { status: 'held', reason: 'NUMBER_STOPPED' }
        : { status: 'accepted', upstreamId: 'wamid.OUT' };
    const created = await create(jobs, rowsOf(phonesOf(400)), { numbers: [FIRST, SECOND] });
    await eventually(async () =>
      expect((await jobOf(jobs, created)).numbers).toMatchObject([{}, { stoppedReason: 'NUMBER_STOPPED' }]),
    );
    isStopped = false;
    await eventually(
      async () => expect((await jobOf(jobs, created)).numbers).toMatchObject([{}, { stoppedReason: null }]),
      { timeoutMs: 25_000 },
    );
    await jobs.gateway.request(controlJobV1, { ...ids(created), action: 'cancel' });
  }, 60_000);

  it('sends once to each recipient despite lost connections', async () => {
    const created = await create(jobs, rowsOf(phonesOf(600)), { numbers: [...NUMBERS] });
    const sentOf = (): number => jobs.messaging.sent.filter(({ jobId }) => jobId === created.jobId).length;
    let cuts = 0;
    // Waits for progress before each cut, so that the job can finish.
    for (let round = 0, before = -1; sentOf() < 600 && round < 40; round += 1, before = sentOf()) {
      await eventually(() => expect(sentOf()).toBeGreaterThan(before), { timeoutMs: 20_000 });
      const cut = await query<{ pid: number }>(
        jobs.dataSource,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`,
      );
      cuts += cut.length;
    }
    const job = await becomes(jobs, created, { status: 'completed', accepted: 600 });
    const sent = jobs.messaging.sent.filter(({ jobId }) => jobId === created.jobId);
    expect(cuts).toBeGreaterThan(0);
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(600);
    expect(new Map(sent.map(({ messageId, from }) => [messageId, from])).size).toBe(
      new Set(sent.map(({ messageId, from }) => `${messageId} ${from}`)).size,
    );
    expect(job.numbers?.reduce((sum, { recipients }) => sum + recipients, 0)).toBe(600);
  }, 90_000);

  it('shows the number of a job with a single number', async () => {
    const created = await create(jobs, rowsOf(phonesOf(5)));
    await becomes(jobs, created, { status: 'completed', accepted: 5 });
    const { from, numbers } = await jobOf(jobs, created);
    expect(numbers).toEqual([{ phoneNumber: from, stoppedReason: null, recipients: 5, failed: 0 }]);
    await eventually(async () =>
      expect((await recipientsOf(created)).map((recipient) => recipient.from)).toEqual(Array(5).fill(from)),
    );
  });
});
