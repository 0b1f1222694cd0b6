import { AppError, controlJobV1, createJobV1, sendMessageV1, verifyCodeV1 } from '@switchboard/contracts';
import { signedIn } from './support/console';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { call } from './support/http';

const MAY_BE_DONE = 'the outcome is unknown: the request may have been carried out';
const SHOWS = 'shows whether it was: check before you repeat it';
const JOB = 'job_01jd0000000000000000000000';

describe('an answer that the outcome is unknown', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;

  beforeAll(async () => {
    gateway = await startGateway();
    customer = await gateway.customer();
    const unknown = () => {
      throw new AppError('OUTCOME_UNKNOWN');
    };
    const commands = [sendMessageV1, createJobV1, verifyCodeV1, controlJobV1];
    for (const command of commands) gateway.standIns.answer(command, unknown);
  });
  afterAll(() => gateway.close());

  const message = { type: 'text', text: { body: 'Hello' } };
  const post = (path: string, body: object | undefined, headers = {}) =>
    call(`${gateway.url}${path}`, { method: 'POST', key: customer.apiKey, body, headers });

  it.each([
    ['/v1/messages/send', { to: '919812345678', ...message }, `GET /v1/messages/{id} ${SHOWS}`],
    ['/v1/messages/send/bulk', { recipients: ['919812345678'], ...message }, `GET /v1/jobs ${SHOWS}`],
    [`/v1/jobs/${JOB}/pause`, undefined, `GET /v1/jobs/{jobId} ${SHOWS}`],
    [
      '/v1/otp/verify',
      { phone: '919812345678', otp: '482913' },
      'If a repeat is refused, the code may have been verified: send a new one',
    ],
  ])('says of POST %s without a key where to check, and with one that a repeat is safe', async (path, body, check) => {
    const unknown = { code: 'OUTCOME_UNKNOWN', message: `${MAY_BE_DONE}. ${check}` };
    expect(await post(path, body)).toMatchObject({ status: 504, body: unknown });
    const again = 'Repeat it with the same Idempotency-Key: it is not carried out twice';
    const repeatable = { code: 'OUTCOME_UNKNOWN', message: `${MAY_BE_DONE}. ${again}` };
    expect(await post(path, body, { 'idempotency-key': path })).toMatchObject({ status: 504, body: repeatable });
  });

  it.each(['OUTCOME_UNKNOWN', 'UPSTREAM_TIMEOUT'] as const)(
    'names the message when a send ends so (%s)',
    async (code) => {
      let asked = '';
      gateway.standIns.answer(sendMessageV1, ({ messageId }) => {
        asked = String(messageId);
        throw new AppError(code);
      });
      const { status, headers, body } = await post('/v1/messages/send', { to: '919812345678', ...message });
      expect([status, body]).toEqual([504, expect.objectContaining({ code, id: asked })]);
      expect(asked).toMatch(/^msg_/);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    },
  );

  it('names a read of the console to people who are signed in', async () => {
    const owner = await signedIn(gateway, customer.accountId);
    const { status, body } = await owner.call('POST', `/console/v1/jobs/${JOB}/pause`);
    expect([status, body.message]).toEqual([504, `${MAY_BE_DONE}. GET /console/v1/jobs/{jobId} ${SHOWS}`]);
  });
});
