import { randomUUID } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import { newAccount, type TestAccount } from '../support/account';
import { get, post } from '../support/api';
import { gatewaySql, rowsOfAccount } from '../support/database';
import { freshPhone, receivedUpstream, writeIn } from '../support/simulator';
import { approved, createTemplate } from '../support/templates';

const template = { name: 'hello_world', language: { code: 'en_US' } };

describe('section 8.6: estimates', () => {
  let account: TestAccount;

  beforeAll(async () => {
    account = await newAccount('Estimates of the specification');
    await approved(account, [template.name]);
  }, 90_000);

  const bulk = (body: object, headers: Record<string, string> = {}) =>
    post('/messages/send/bulk', { type: 'template', template, ...body }, { apiKey: account.apiKey, headers });
  const sheet = (dryRun: boolean, csv: string) =>
    account.api.sendBulkExcel(
      {
        customerExcel: new File([csv], 'customers.csv'),
        templateName: template.name,
        language: 'en_US',
        ...(dryRun && { dryRun }),
      } as Parameters<TestAccount['api']['sendBulkExcel']>[0],
      { idempotencyKey: null },
    );
  const windowOpened = async (phone: string): Promise<void> => {
    await writeIn(phone, 'Hello', { to: account.phoneNumber });
    await eventually(async () =>
      expect((await account.api.listMessages({ phone, direction: 'inbound' })).messages).toHaveLength(1),
    );
  };

  it('8.6.1 creates nothing, and counts as one request', async () => {
    const recipients = Array.from({ length: 1_500 }, freshPhone);
    const me = await get('/me', { apiKey: account.apiKey });
    // The service schedules the first read of the new number's block list automatically.
    const before = await eventually(async () => {
      const rows = await rowsOfAccount(account.accountId);
      expect(rows['messaging.block_reads']).toBe(1);
      return rows;
    });
    const { status, body, headers } = await bulk({ recipients, dryRun: true });
    expect([status, body['dryRun'], body['messages']]).toEqual([200, true, 1_500]);
    expect(body).not.toHaveProperty('jobId');
    expect(await sheet(true, `phone\n${freshPhone()}\n`)).toMatchObject({ dryRun: true, accepted: 1 });
    expect(await rowsOfAccount(account.accountId)).toEqual(before);
    expect(await receivedUpstream(recipients[0] ?? '')).toEqual([]);
    const spent = Number(me.headers.get('x-ratelimit-remaining')) - Number(headers.get('x-ratelimit-remaining'));
    expect(spent).toBeLessThanOrEqual(1);
  });

  it('8.6.2 validates the recipients as for a job', async () => {
    const phone = freshPhone();
    const recipients = [phone, '12', phone];
    const { body: estimate } = await bulk({ recipients, dryRun: true });
    const { status, body: job } = await bulk({ recipients, hold: true });
    expect(status).toBe(201);
    for (const field of ['total', 'accepted', 'rejected', 'duplicates', 'errors'])
      expect([field, estimate[field]]).toEqual([field, job[field]]);
    const csv = `phone\n${phone}\n12\n`;
    const [estimated, created] = [await sheet(true, csv), await sheet(false, csv)];
    expect(estimated).toMatchObject({ sheet: created.sheet, errors: created.errors, accepted: created.accepted });
    for (const wrong of [
      { recipients: [] },
      { recipients: ['12'] },
      { recipients, template: { ...template, name: 'x' } },
    ]) {
      const [dry, real] = [await bulk({ ...wrong, dryRun: true }), await bulk(wrong)];
      expect([dry.status, dry.body['code'], dry.body['message']]).toEqual([
        real.status,
        real.body['code'],
        real.body['message'],
      ]);
    }
    expect(await bulk({ recipients, dryRun: 'yes' })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_PARAMETER' },
    });
  });

  it('8.6.3 ignores the Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const recipients = [freshPhone()];
    const keys = () => gatewaySql('SELECT status FROM idempotency WHERE key = $1', [headers['idempotency-key']]);
    expect(await bulk({ recipients, dryRun: true }, headers)).toMatchObject({ status: 200 });
    expect(await keys()).toEqual([]);
    const created = await bulk({ recipients, hold: true }, headers);
    expect(created.status).toBe(201);
    expect((await bulk({ recipients, dryRun: true }, headers)).body).toMatchObject({ dryRun: true, accepted: 1 });
    expect(await bulk({ recipients, hold: true }, headers)).toMatchObject({ status: 201, body: created.body });
    expect(await keys()).toEqual([{ status: 201 }]);
  });

  it('8.6.4 counts recipients without a message by reason, and 8.6.5 uses the windows at the sending time', async () => {
    const [open, stranger] = [freshPhone(), freshPhone()];
    await windowOpened(open);
    const text = { type: 'text', template: undefined, text: { body: 'Hello' }, recipients: [open, stranger, '12'] };
    const { body } = await bulk({ ...text, dryRun: true });
    expect(body).toMatchObject({ accepted: 2, messages: 1 });
    expect(body['failures']).toEqual(
      expect.arrayContaining([
        { reason: 'invalid', code: 'INVALID_PHONE', recipients: 1, examples: [{ index: 2, phone: '12' }] },
        { reason: 'window_closed', code: 'WINDOW_CLOSED', recipients: 1, examples: [{ index: 1, phone: stranger }] },
      ]),
    );
    const scheduledAt = new Date(Date.now() + 30 * 3_600_000).toISOString();
    expect((await bulk({ ...text, scheduledAt, dryRun: true })).body).toMatchObject({
      sendAt: scheduledAt,
      messages: 0,
    });
  });

  it('8.6.8 estimates the duration and reports the limits', async () => {
    const { body } = await bulk({ recipients: Array.from({ length: 161 }, freshPhone), dryRun: true });
    expect(body['durationSeconds']).toBe(3);
    expect(body['numbers']).toMatchObject([{ phoneNumber: account.phoneNumber, throughput: 80 }]);
  });

  it('8.6.15 shows the first accepted recipients with their values', async () => {
    const { name } = await createTemplate([
      { type: 'BODY', text: 'Good morning {{1}}, your parcel has arrived.', example: { body_text: [['Asha']] } },
    ]);
    await approved(account, [name]);
    const greeting = { name, language: { code: 'en_US' }, variables: { '1': 'customer' } };
    const [first, second] = [freshPhone(), freshPhone()];
    const recipients = ['12', { to: first, variables: { '1': 'Asha', colour: 'red' } }, second];
    const { body } = await bulk({ recipients, template: greeting, dryRun: true });
    expect(body['sampleRows']).toEqual([
      { index: 1, phone: first, values: { '1': 'Asha' } },
      { index: 2, phone: second, values: {} },
    ]);
    const many = await bulk({ recipients: Array.from({ length: 30 }, freshPhone), dryRun: true });
    expect(many.body['sampleRows']).toHaveLength(20);
    const rows = await sheet(true, `phone\n${first}\n${second}\n`);
    expect(rows).toMatchObject({ sampleRows: [{ phone: first }, { phone: second }] });
  });
});
