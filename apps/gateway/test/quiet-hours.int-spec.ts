import {
  createAudienceJobV1,
  createCappedExcelJobV1,
  createCappedJobV1,
  createHeldJobV1,
  estimateJobV1,
} from '@switchboard/contracts';
import { signedIn } from './support/console';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { call } from './support/http';

const QUIET = { from: '20:00', to: '08:00' };
const MESSAGE = { type: 'template', template: { name: 'order_update', language: { code: 'en_US' } } };

describe('quiet hours of a job', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;

  beforeAll(async () => {
    gateway = await startGateway({ standing: ['messaging', 'jobs'] });
  });
  beforeEach(async () => {
    gateway.fakes.reset();
    await gateway.database.dataSource.query('DELETE FROM sign_in_attempts');
    customer = await gateway.customer();
  });
  afterAll(() => gateway.close());

  const bulk = (quietHours: unknown, more: object = {}) =>
    call(`${gateway.url}/v1/messages/send/bulk`, {
      key: customer.apiKey,
      body: { ...MESSAGE, recipients: ['919812345678'], quietHours, ...more },
    });
  const sheet = (quietHours: string): Promise<Response> => {
    const form = new FormData();
    const fields = { templateName: 'order_update', language: 'en_US', quietHours };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set('customerExcel', new Blob(['phone\n919812345678\n']), 'customers.csv');
    const headers = { authorization: `Bearer ${customer.apiKey}` };
    return fetch(`${gateway.url}/v1/messages/send/bulk/excel`, { method: 'POST', headers, body: form });
  };

  it('reach the jobs service with the time zone of the account', async () => {
    expect((await bulk(QUIET)).status).toBe(201);
    await gateway.database.dataSource.query("UPDATE accounts SET time_zone = 'Asia/Kolkata' WHERE id = $1", [
      customer.accountId,
    ]);
    expect((await bulk(QUIET, { hold: true })).status).toBe(201);
    expect((await sheet(JSON.stringify(QUIET))).status).toBe(201);
    const inKolkata = { quietHours: { ...QUIET, timeZone: 'Asia/Kolkata' } };
    expect(gateway.fakes.of(createCappedJobV1)).toMatchObject([
      { quietHours: { ...QUIET, timeZone: 'UTC' } },
      { hold: true, ...inKolkata },
    ]);
    expect(gateway.fakes.of(createCappedExcelJobV1)).toMatchObject([inKolkata]);
    expect((await bulk(QUIET, { dryRun: true })).status).toBe(200);
    expect(gateway.fakes.of(estimateJobV1)).toMatchObject([inKolkata]);
  });

  it('reach the jobs service from the dashboard', async () => {
    const admin = await signedIn(gateway, customer.accountId, 'admin');
    const list = { ...MESSAGE, recipients: ['919812345678'], hold: true, quietHours: QUIET };
    expect((await admin.call('POST', '/console/v1/jobs', { body: list })).status).toBe(201);
    const contacts = { ...MESSAGE, audience: { optedIn: true }, hold: true, quietHours: QUIET };
    expect((await admin.call('POST', '/console/v1/jobs/contacts', { body: contacts })).status).toBe(201);
    const quietHours = { ...QUIET, timeZone: 'UTC' };
    expect(gateway.fakes.of(createCappedJobV1)).toMatchObject([{ quietHours }]);
    expect(gateway.fakes.of(createAudienceJobV1)).toMatchObject([{ quietHours }]);
  });

  it('are absent from a job without the option', async () => {
    expect((await bulk(undefined, { hold: true })).status).toBe(201);
    expect(gateway.fakes.of(createHeldJobV1)[0]).not.toHaveProperty('quietHours');
  });

  it.each([
    ['20:00-08:00', 'INVALID_PARAMETER', 'quietHours'],
    [8, 'INVALID_PARAMETER', 'quietHours'],
    [[], 'INVALID_PARAMETER', 'quietHours'],
    [{ to: '08:00' }, 'INVALID_VALUE', 'quietHours.from'],
    [{ from: '20:00', to: '8:00' }, 'INVALID_VALUE', 'quietHours.to'],
    [{ from: '24:00', to: '08:00' }, 'INVALID_VALUE', 'quietHours.from'],
    [{ from: 20, to: '08:00' }, 'INVALID_VALUE', 'quietHours.from'],
    [{ from: '20:00', to: '20:00' }, 'INVALID_VALUE', 'quietHours.to'],
    [{ from: '18:00', to: '07:01' }, 'INVALID_VALUE', 'quietHours.to'],
  ])('reject %j with %s at %s', async (quietHours, code, field) => {
    expect((await bulk(quietHours)).body).toMatchObject({ code, details: [{ field }] });
    const response = await sheet(JSON.stringify(quietHours));
    expect(await response.json()).toMatchObject({ code, details: [{ field }] });
    expect(gateway.fakes.of(createCappedJobV1)).toEqual([]);
    expect(gateway.fakes.of(createCappedExcelJobV1)).toEqual([]);
  });
});
