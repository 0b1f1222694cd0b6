import { AppError, type GetSendingCapacityCommand, newId } from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import { activity, inWorkload } from '@switchboard/platform';
import type { MessagingClient } from '@switchboard/service-clients';
import { createTestDatabase, eventually, type TestDatabase } from '@switchboard/testing';
import type { JobCheck } from '../src/jobs/job-check';
import { setNumbers } from '../src/jobs/job-numbers';
import { ResumeNumbers } from '../src/lifecycle/resume-numbers';
import { migrations } from '../src/migrations';
import { RefreshLimits } from '../src/release/refresh-limits';

const [FIRST, SECOND] = ['15550000001', '15550000002'] as const;

let database: TestDatabase;
let transactions: Transactions;

beforeAll(async () => {
  database = await createTestDatabase('jobs', migrations);
  transactions = new Transactions(database.dataSource);
});
beforeEach(() => database.dataSource.query('TRUNCATE jobs, job_numbers, lanes'));
afterAll(() => database.drop());

/** Inserts a running job with its numbers. One number is stored with the job itself. */
async function addJob(numbers: readonly string[], { status = 'processing' } = {}) {
  const [accountId, jobId] = [newId('acc'), newId('job')];
  await query(
    database.dataSource,
    `INSERT INTO jobs (account_id, id, type, status, message, phone_number, total, pending)
     VALUES ($1, $2, 'bulk', $3, '{"type":"text"}', $4, 10, 10)`,
    [accountId, jobId, status, numbers.length === 1 ? numbers[0] : null],
  );
  for (const [position, number] of numbers.entries()) {
    await query(
      database.dataSource,
      'INSERT INTO lanes (account_id, phone_number, throughput, rate) VALUES ($1, $2, 80, 80)',
      [accountId, number],
    );
    if (numbers.length > 1)
      await query(
        database.dataSource,
        'INSERT INTO job_numbers (account_id, job_id, phone_number, position) VALUES ($1, $2, $3, $4)',
        [accountId, jobId, number, position],
      );
  }
  return { accountId, jobId };
}

const stop = ({ jobId }: { jobId: string }, number: string) =>
  query(
    database.dataSource,
    "UPDATE job_numbers SET stopped_reason = 'NUMBER_STOPPED' WHERE job_id = $1 AND phone_number = $2",
    [jobId, number],
  );

describe('RefreshLimits', () => {
  let asked: GetSendingCapacityCommand[];
  const processes = (count: number): RefreshLimits[] =>
    Array.from({ length: count }, () => {
      const messaging = {
        getSendingCapacity: (command: GetSendingCapacityCommand) => {
          asked.push(command);
          return Promise.resolve({
            numbers: command.numbers.map((phoneNumber) => ({
              phoneNumber,
              throughput: 80,
              messagingLimit: 250,
              remaining: 100,
              portfolio: '300000000000001',
            })),
          });
        },
      };
      return new RefreshLimits(database.dataSource, messaging as unknown as MessagingClient);
    });

  beforeEach(() => (asked = []));

  it('sends no request for jobs with one number', async () => {
    await addJob([FIRST]);
    await processes(1)[0]?.refreshStale();
    expect(asked).toEqual([]);
  });

  it('sends no request for jobs in quiet hours', async () => {
    const { jobId } = await addJob([FIRST, SECOND]);
    await query(database.dataSource, "UPDATE jobs SET waiting_until = now() + interval '1 hour' WHERE id = $1", [
      jobId,
    ]);
    const note = jest.spyOn(activity, 'note');
    await inWorkload('background', () => processes(1)[0]?.refreshStale());
    expect(asked).toEqual([]);
    expect(note).not.toHaveBeenCalled();
    await query(database.dataSource, 'UPDATE jobs SET waiting_until = now() WHERE id = $1', [jobId]);
    await inWorkload('background', () => processes(1)[0]?.refreshStale());
    expect(asked).toHaveLength(1);
    expect(note).toHaveBeenCalled();
  });

  it('requests limits once per interval across several processes', async () => {
    const { accountId } = await addJob([FIRST, SECOND]);
    await addJob([FIRST, SECOND], { status: 'paused' });
    const running = processes(4);
    for (let round = 0; round < 3; round += 1) await Promise.all(running.map((each) => each.refreshStale()));
    expect(asked.map((command) => command.accountId)).toEqual(asked.map(() => accountId));
    expect(asked.flatMap(({ numbers }) => numbers).sort()).toEqual([FIRST, SECOND]);
    expect(
      await query(database.dataSource, 'SELECT DISTINCT left_today FROM lanes WHERE account_id = $1', [accountId]),
    ).toEqual([{ left_today: 100 }]);
    // The claim of a process that crashed ends with the interval.
    await query(
      database.dataSource,
      "UPDATE lanes SET limits_due_at = now() - interval '1 second' WHERE account_id = $1",
      [accountId],
    );
    await running[0]?.refreshStale();
    expect(asked.flatMap(({ numbers }) => numbers)).toHaveLength(4);
  });
});

describe('ResumeNumbers', () => {
  it('checks all jobs with stopped numbers in batches', async () => {
    const jobs = await Promise.all(Array.from({ length: 60 }, () => addJob([FIRST, SECOND])));
    for (const job of jobs) await stop(job, SECOND);
    const checked: string[] = [];
    const jobCheck = {
      checkEach: (accountId: string) => {
        checked.push(accountId);
        return Promise.reject(new AppError('NUMBER_STOPPED'));
      },
    };
    const resume = new ResumeNumbers(database.dataSource, transactions, jobCheck as unknown as JobCheck);
    await resume.resumeSome();
    await resume.resumeSome();
    expect(new Set(checked).size).toBe(60);
    expect(checked).toHaveLength(60);
    await resume.resumeSome();
    expect(checked).toHaveLength(110);
  });
});

describe('setNumbers', () => {
  const checks = (numbers: readonly string[]) => ({
    checked: {
      phoneNumber: FIRST,
      throughput: 80,
      numbers: numbers.map((phoneNumber) => ({ phoneNumber, throughput: 80 })),
    },
    faults: new Map<string, AppError>(),
  });
  const reasonsOf = ({ jobId }: { jobId: string }) =>
    query<{ stopped_reason: string | null }>(
      database.dataSource,
      'SELECT stopped_reason FROM job_numbers WHERE job_id = $1 ORDER BY position',
      [jobId],
    );
  const set = (job: { accountId: string; jobId: string }) =>
    transactions.run((tx) => setNumbers(tx, job, checks([FIRST, SECOND]) as never));

  it('waits for other changes of the job', async () => {
    const job = await addJob([FIRST, SECOND]);
    await stop(job, SECOND);
    let isSet = false;
    let setting: Promise<void> | undefined;
    await transactions.run(async (tx) => {
      await tx.query('SELECT 1 FROM jobs WHERE id = $1 FOR UPDATE', [job.jobId]);
      setting = set(job).then(() => void (isSet = true));
      const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
      await eventually(async () => expect(await query(database.dataSource, waiting)).toHaveLength(1));
      expect(isSet).toBe(false);
    });
    await setting;
    expect(await reasonsOf(job)).toEqual([{ stopped_reason: null }, { stopped_reason: null }]);
  });

  it('leaves an ended job unchanged', async () => {
    const job = await addJob([FIRST, SECOND], { status: 'cancelled' });
    await stop(job, SECOND);
    await set(job);
    expect(await reasonsOf(job)).toEqual([{ stopped_reason: null }, { stopped_reason: 'NUMBER_STOPPED' }]);
  });
});
