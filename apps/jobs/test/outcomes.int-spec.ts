import {
  controlJobV1,
  listRecipientsV1,
  type MessageError,
  newId,
  type RecipientRecord,
  templateStatusChangedV1,
} from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import fc from 'fast-check';
import { becomes, create, jobOf, phonesOf, rowsOf, type RunningJobs, startJobs } from './support/start-jobs';

let jobs: RunningJobs;
const ERROR: MessageError = {
  code: 131026,
  title: 'Undeliverable',
  message: 'not on the network',
  category: 'undeliverable',
  retriable: false,
};
const OPT_OUT: MessageError = { ...ERROR, code: 131050, category: 'optout' };

beforeAll(async () => {
  jobs = await startJobs();
});
beforeEach(() => {
  jobs.messaging.sent.length = 0;
  jobs.messaging.throughput = 1_000;
  jobs.messaging.outcomeOf = () => ({ status: 'accepted', upstreamId: 'wamid.OUT' });
});
afterAll(() => jobs.stop());

async function accepted(count: number): Promise<{ accountId: string; jobId: string; ids: string[] }> {
  const created = await create(jobs, rowsOf(phonesOf(count)));
  await becomes(jobs, created, { status: 'completed', accepted: count });
  const sent = jobs.messaging.sent.filter(({ jobId }) => jobId === created.jobId);
  return { ...created, ids: sent.sort((one, other) => (one.to < other.to ? -1 : 1)).map(({ messageId }) => messageId) };
}

const recipientsOf = async (ids: { accountId: string; jobId: string }, more: object = {}): Promise<RecipientRecord[]> =>
  (
    await jobs.gateway.request(listRecipientsV1, {
      accountId: ids.accountId,
      jobId: ids.jobId,
      page: 1,
      limit: 100,
      ...more,
    })
  ).recipients;

describe('message outcomes', () => {
  it('update counts within two seconds, even after the job ended', async () => {
    const job = await accepted(4);
    const [a = '', b = '', c = '', d = ''] = job.ids;
    await jobs.messaging.report(job, [
      { messageId: a, status: 'sent', at: '2026-03-02T10:15:01.000Z' },
      { messageId: a, status: 'delivered', at: '2026-03-02T10:15:02.000Z' },
      { messageId: b, status: 'read', at: '2026-03-02T10:15:03.000Z' },
      { messageId: c, status: 'failed', error: ERROR, at: '2026-03-02T10:15:04.000Z' },
    ]);
    await becomes(jobs, job, { status: 'completed', accepted: 1, delivered: 1, read: 1, failed: 1 }, 2_000);
    const recipients = await recipientsOf(job);
    expect(recipients).toMatchObject([
      {
        index: 0,
        id: a,
        status: 'delivered',
        upstreamId: 'wamid.OUT',
        // Never later than sentAt, even if its callback arrived first.
        acceptedAt: '2026-03-02T10:15:01.000Z',
        sentAt: '2026-03-02T10:15:01.000Z',
        deliveredAt: '2026-03-02T10:15:02.000Z',
        error: null,
      },
      { index: 1, id: b, status: 'read', readAt: '2026-03-02T10:15:03.000Z' },
      { index: 2, id: c, status: 'failed', error: ERROR, failedAt: '2026-03-02T10:15:04.000Z' },
      { index: 3, id: d, status: 'accepted' },
    ]);
    expect((await recipientsOf(job, { status: 'failed' })).map(({ index }) => index)).toEqual([2]);
  });

  it('only move recipients forward, in any order and repetition', async () => {
    const job = await accepted(12);
    const order = ['accepted', 'sent', 'failed', 'delivered', 'read'] as const;
    const told = fc
      .sample(
        fc.array(fc.record({ index: fc.nat(11), status: fc.constantFrom(...order) }), {
          minLength: 100,
          maxLength: 100,
        }),
        { numRuns: 3, seed: 7 },
      )
      .flat();
    const furthest = job.ids.map((_id, index) =>
      Math.max(0, ...told.filter((change) => change.index === index).map(({ status }) => order.indexOf(status))),
    );
    const changes = told.map(({ index, status }) => ({
      messageId: job.ids[index] ?? '',
      status,
      ...(status === 'failed' && { error: ERROR }),
    }));
    await Promise.all(
      Array.from({ length: 30 }, (_, n) => jobs.messaging.report(job, changes.slice(n * 10, n * 10 + 10))),
    );
    await Promise.all(
      Array.from({ length: 30 }, (_, n) => jobs.messaging.report(job, changes.slice(n * 10, n * 10 + 10))),
    );
    const countOf = (status: (typeof order)[number]): number =>
      furthest.filter((rank) => order[rank] === status).length;
    await becomes(jobs, job, Object.fromEntries(order.map((status) => [status, countOf(status)])));
    expect((await recipientsOf(job)).map(({ status }) => status)).toEqual(furthest.map((rank) => order[rank]));
  });

  it('are ignored for messages outside the job', async () => {
    const job = await accepted(2);
    const other = await accepted(2);
    await jobs.messaging.report(
      job,
      [...other.ids, newId('msg'), 'msg_?'].map((messageId) => ({ messageId, status: 'read' })),
    );
    await jobs.messaging.report(other, [{ messageId: other.ids[0] ?? '', status: 'sent' }]);
    await becomes(jobs, other, { sent: 1, accepted: 1 });
    expect(await jobOf(jobs, job)).toMatchObject({ accepted: 2, read: 0 });
  });
});

describe('automatic job pause', () => {
  it('happens when nothing can be sent, until the job is resumed', async () => {
    jobs.messaging.outcomeOf = () => ({ status: 'held', reason: 'NUMBER_STOPPED' });
    const created = await create(jobs, rowsOf(phonesOf(30)));
    await becomes(jobs, created, { status: 'paused', pauseReason: 'NUMBER_STOPPED', pending: 30 });
    jobs.messaging.outcomeOf = () => ({ status: 'accepted' });
    await jobs.gateway.request(controlJobV1, { accountId: created.accountId, jobId: created.jobId, action: 'resume' });
    await becomes(jobs, created, { status: 'completed', pauseReason: null, accepted: 30 });
  });

  it('affects only jobs whose template loses its approval', async () => {
    jobs.messaging.throughput = 10;
    const accountId = newId('acc');
    const created = await create(jobs, rowsOf(phonesOf(200)), { accountId });
    const text = await create(jobs, rowsOf(phonesOf(200)), {
      accountId,
      message: { type: 'text', text: { body: 'Hello' } },
    });
    await Promise.all([created, text].map((job) => becomes(jobs, job, { status: 'processing' })));
    const change = {
      accountId,
      templateId: '1',
      templateName: 'order_update',
      language: 'en_US',
      category: 'UTILITY',
      previousStatus: 'APPROVED' as const,
      reason: null,
      timestamp: new Date().toISOString(),
    };
    await jobs.messaging.broker.publish(templateStatusChangedV1, { ...change, language: 'de', status: 'DISABLED' });
    await jobs.messaging.broker.publish(templateStatusChangedV1, { ...change, status: 'FLAGGED', sendable: true });
    const { accepted = 0 } = await jobOf(jobs, created);
    await eventually(async () => expect((await jobOf(jobs, created)).accepted).toBeGreaterThan(accepted + 5));
    await jobs.messaging.broker.publish(templateStatusChangedV1, { ...change, status: 'FLAGGED', sendable: false });
    await becomes(jobs, created, { status: 'paused', pauseReason: 'TEMPLATE_NOT_APPROVED' });
    expect((await jobOf(jobs, text)).status).toBe('processing');
  });

  it('happens when half of 200 messages fail, excluding opt-outs', async () => {
    jobs.messaging.outcomeOf = () => ({ status: 'failed', error: OPT_OUT });
    const wished = await create(jobs, rowsOf(phonesOf(300)));
    await becomes(jobs, wished, { status: 'completed', failed: 300 });
    jobs.messaging.outcomeOf = ({ to }) =>
      Number(to) % 20 < 9 ? { status: 'failed', error: ERROR } : { status: 'accepted' };
    const below = await create(jobs, rowsOf(phonesOf(400)));
    await becomes(jobs, below, { status: 'completed', failed: 180, accepted: 220 });
    jobs.messaging.throughput = 200;
    jobs.messaging.outcomeOf = ({ to }) =>
      Number(to) % 20 < 11 ? { status: 'failed', error: ERROR } : { status: 'accepted' };
    const above = await create(jobs, rowsOf(phonesOf(1_000)));
    const job = await becomes(jobs, above, { status: 'paused', pauseReason: 'TOO_MANY_FAILURES' });
    expect(job.pending).toBeGreaterThan(0);
  });

  it('counts exactly the last 200 outcomes, and needs more than half', async () => {
    jobs.messaging.throughput = 10;
    jobs.messaging.outcomeOf = () => undefined;
    const created = await create(jobs, rowsOf(phonesOf(200)));
    const sent = (): { messageId: string }[] => jobs.messaging.sent.filter(({ jobId }) => jobId === created.jobId);
    await eventually(() => expect(sent().length).toBeGreaterThan(1));
    // There are 100 failures. The oldest one is dropped from the 200 by the next outcome.
    await jobs.dataSource.query("UPDATE jobs SET recent = '1' || repeat('0', 100) || repeat('1', 99) WHERE id = $1", [
      created.jobId,
    ]);
    const [first = '', second = ''] = sent().map(({ messageId }) => messageId);
    await jobs.messaging.report(created, [{ messageId: first, status: 'failed', error: ERROR }]);
    await becomes(jobs, created, { status: 'processing', failed: 1 });
    await jobs.messaging.report(created, [{ messageId: second, status: 'failed', error: ERROR }]);
    await becomes(jobs, created, { status: 'paused', pauseReason: 'TOO_MANY_FAILURES', failed: 2 });
  });

  it('is published to the account', async () => {
    const told = (): string[] =>
      jobs.notices.map(({ name, body }) => `${name} ${(body as { reason?: string }).reason ?? ''}`);
    const reasons = ['NUMBER_STOPPED', 'TEMPLATE_NOT_APPROVED', 'TOO_MANY_FAILURES'];
    await eventually(() =>
      expect(told()).toEqual(
        expect.arrayContaining([...reasons.map((reason) => `jobs.job.paused.v1 ${reason}`), 'jobs.job.finished.v1 ']),
      ),
    );
  });
});

it('uses the configured failure rate', async () => {
  await jobs.stop();
  jobs = await startJobs({ JOBS_FAILURE_PERCENT: 20 });
  jobs.messaging.throughput = 200;
  jobs.messaging.outcomeOf = ({ to }) =>
    Number(to) % 20 < 6 ? { status: 'failed', error: ERROR } : { status: 'accepted' };
  const created = await create(jobs, rowsOf(phonesOf(1_000)));
  await becomes(jobs, created, { status: 'paused', pauseReason: 'TOO_MANY_FAILURES' });
});
