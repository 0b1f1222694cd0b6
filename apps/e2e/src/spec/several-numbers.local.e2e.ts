import { eventually } from '@switchboard/testing';
import { addNumber, newAccount, newBusiness, type TestAccount } from '../support/account';
import { type Answer, get, post } from '../support/api';
import { freshPhone, receivedUpstream } from '../support/simulator';
import { approved } from '../support/templates';

const TEMPLATE = { type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } };
/** The simulator rejects sends from this number with 190, which stops the business number. */
const REFUSES_CREDENTIALS = '15005550190';
const RECIPIENTS = 1_200;
/** Tolerance: the shares of the second and third number differ by at most a few batches of 16 recipients. */
const BOUND = 160;

interface Job {
  status: string;
  from: string | null;
  accepted: number;
  numbers: { phoneNumber: string; stoppedReason: string | null; recipients: number; failed: number }[];
}

describe('section 8.7: several business numbers', () => {
  let account: TestAccount;
  let numbers: string[];

  beforeAll(async () => {
    account = await newAccount('Several numbers');
    const others = [await addNumber(account.accountId), await addNumber(account.accountId)];
    numbers = [account.phoneNumber, ...others.map(({ phoneNumber }) => phoneNumber)];
    await approved(account, ['hello_world']);
  }, 90_000);

  const bulk = (body: object): Promise<Answer> =>
    post('/messages/send/bulk', { ...TEMPLATE, ...body }, { apiKey: account.apiKey });
  const jobOf = async (jobId: unknown): Promise<Job> =>
    (await get(`/jobs/${String(jobId)}`, { apiKey: account.apiKey })).body['job'] as Job;
  const phonesOf = (count: number): string[] => {
    const first = Number(freshPhone()) - count;
    return Array.from({ length: count }, (_, index) => String(first + index));
  };

  it('8.7.1 rejects an empty list and removes duplicates', async () => {
    expect(await bulk({ from: [], recipients: phonesOf(1) })).toMatchObject({
      status: 422,
      body: { code: 'INVALID_VALUE', details: [{ field: 'from' }] },
    });
    const { body } = await bulk({ from: [numbers[1], numbers[1]], recipients: phonesOf(1), hold: true });
    expect(await jobOf(body['jobId'])).toMatchObject({ from: numbers[1], numbers: [{ phoneNumber: numbers[1] }] });
  });

  it('8.7.2 names the number whose business account lacks the template', async () => {
    const business = await newBusiness();
    const { phoneNumber } = await addNumber(account.accountId, business);
    const template = { name: 'order_update', language: { code: 'en_US' } };
    const { status, body } = await bulk({ template, from: [numbers[0], phoneNumber], recipients: phonesOf(1) });
    expect([status, body['message']]).toEqual([400, expect.stringMatching(/^[0-9]{8,15}: /)]);
  }, 60_000);

  it('8.7.4 sends to each recipient once when a number is stopped', async () => {
    const recipients = phonesOf(RECIPIENTS);
    const { status, body } = await bulk({ from: numbers, recipients });
    expect(status).toBe(201);
    const { jobId } = body;
    await eventually(async () => expect((await jobOf(jobId)).numbers[1]?.recipients).toBeGreaterThan(0));
    await post(
      '/messages/send',
      { ...TEMPLATE, from: numbers[1], to: REFUSES_CREDENTIALS },
      { apiKey: account.apiKey },
    );
    const job = await eventually(
      async () => {
        const found = await jobOf(jobId);
        expect(found).toMatchObject({ status: 'completed', pending: 0, failed: 0, from: null });
        return found;
      },
      { timeoutMs: 60_000 },
    );
    const [first = 0, second = 0, third = 0] = job.numbers.map((number) => number.recipients);
    expect(job.numbers[1]).toMatchObject({ phoneNumber: numbers[1], stoppedReason: 'NUMBER_STOPPED' });
    expect(first + second + third).toBe(RECIPIENTS);
    expect(Math.abs(first - third)).toBeLessThanOrEqual(BOUND);
    for (const phone of recipients.filter((_, index) => index % 40 === 0))
      expect((await receivedUpstream(phone)).map(({ count }) => count)).toEqual([1]);
    const { body: page } = await get(`/jobs/${String(jobId)}/recipients?limit=100`, { apiKey: account.apiKey });
    const shown = page['recipients'] as { from: string; message_id: string }[];
    expect(new Set(shown.map((recipient) => recipient.message_id)).size).toBe(100);
    for (const { from } of shown) expect(numbers).toContain(from);
  }, 120_000);
});
