import {
  AppError,
  controlJobV1,
  createJobV1,
  getMessageV1,
  noteOpenSendV1,
  sendMessageV1,
  verifyCodeV1,
} from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { signedIn } from './support/console';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { call } from './support/http';

const MAY_BE_DONE = 'the outcome is unknown: the request may have been carried out';
const SHOWS = 'shows whether it was: check before you repeat it';
const JOB = 'job_01jd0000000000000000000000';

describe('OUTCOME_UNKNOWN response', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;

  beforeAll(async () => {
    gateway = await startGateway();
    customer = await gateway.customer();
    const unknown = () => {
      throw new AppError('OUTCOME_UNKNOWN');
    };
    const commands = [sendMessageV1, createJobV1, verifyCodeV1, controlJobV1];
    for (const command of commands) gateway.fakes.answer(command, unknown);
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
  ])('advises POST %s on what to check', async (path, body, check) => {
    const unknown = { code: 'OUTCOME_UNKNOWN', message: `${MAY_BE_DONE}. ${check}` };
    expect(await post(path, body)).toMatchObject({ status: 504, body: unknown });
    const again = 'Repeat it with the same Idempotency-Key: it is not carried out twice';
    const repeatable = { code: 'OUTCOME_UNKNOWN', message: `${MAY_BE_DONE}. ${again}` };
    expect(await post(path, body, { 'idempotency-key': path })).toMatchObject({ status: 504, body: repeatable });
  });

  it.each(['OUTCOME_UNKNOWN', 'UPSTREAM_TIMEOUT'] as const)(
    'contains the message id after a send with %s',
    async (code) => {
      let asked = '';
      gateway.fakes.answer(sendMessageV1, ({ messageId }) => {
        asked = String(messageId);
        throw new AppError(code);
      });
      const { status, headers, body } = await post('/v1/messages/send', { to: '919812345678', ...message });
      expect([status, body]).toEqual([504, expect.objectContaining({ code, id: asked })]);
      expect(asked).toMatch(/^msg_/);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      const form = new FormData();
      for (const [name, value] of Object.entries({ to: '919812345678', type: 'document' })) form.append(name, value);
      form.append('file', new Blob(['%PDF-1.4\n']), 'a.pdf');
      const upload = await fetch(`${gateway.url}/v1/messages/send`, {
        method: 'POST',
        headers: { authorization: `Bearer ${customer.apiKey}` },
        body: form,
      });
      expect([upload.status, await upload.json()]).toEqual([504, expect.objectContaining({ code, id: asked })]);
    },
  );

  it('contains a message id that can be looked up', async () => {
    const recorded = new Set<unknown>();
    gateway.fakes.answer(sendMessageV1, () => {
      throw new AppError('OUTCOME_UNKNOWN');
    });
    gateway.fakes.answer(getMessageV1, ({ accountId, id }) => {
      if (accountId !== customer.accountId || !recorded.has(id)) throw new AppError('NOT_FOUND');
      const { message } = getMessageV1.sample.response;
      return { message: { ...message, id, status: 'unknown' } };
    });
    let isAway = true;
    gateway.fakes.answer(noteOpenSendV1, ({ messageId }) => {
      if (isAway) throw new AppError('UNAVAILABLE');
      recorded.add(messageId);
      return { recorded: true };
    });
    const read = (id: unknown) => call(`${gateway.url}/v1/messages/${String(id)}`, { key: customer.apiKey });
    const { body } = await post('/v1/messages/send', { to: '919812345678', ...message });
    const stranger = await gateway.customer();
    expect((await read(body.id)).status).toBe(503);
    isAway = false;
    expect(await read(body.id)).toMatchObject({ status: 200, body: { message: { id: body.id, status: 'unknown' } } });
    const noted = gateway.fakes.of(noteOpenSendV1).find(({ messageId }) => messageId === body.id);
    expect(JSON.parse(JSON.stringify(noted))).toMatchObject({
      accountId: customer.accountId,
      message: { to: '919812345678', ...message },
    });
    expect((await call(`${gateway.url}/v1/messages/${String(body.id)}`, { key: stranger.apiKey })).body.code).toBe(
      'NOT_FOUND',
    );
    const left = () => gateway.database.dataSource.query('SELECT * FROM open_sends');
    await eventually(async () => expect(await left()).toEqual([]));
    isAway = true;
    expect((await read(body.id)).status).toBe(200);
  });

  it('contains no message id if the send was not stored', async () => {
    const rename = (from: string, to: string) =>
      gateway.database.dataSource.query(`ALTER TABLE ${from} RENAME TO ${to}`);
    gateway.fakes.answer(sendMessageV1, () => {
      throw new AppError('OUTCOME_UNKNOWN');
    });
    gateway.fakes.answer(noteOpenSendV1, () => {
      throw new AppError('UNAVAILABLE');
    });
    const send = () => post('/v1/messages/send', { to: '919812345678', ...message });
    await rename('open_sends', 'open_sends_away');
    const lost = await send();
    await rename('open_sends_away', 'open_sends');
    expect([lost.status, lost.body.code, lost.body.id]).toEqual([504, 'OUTCOME_UNKNOWN', undefined]);
    expect((await send()).body.id).toMatch(/^msg_/);
  });

  it('advises signed-in users of a console route', async () => {
    const owner = await signedIn(gateway, customer.accountId);
    const { status, body } = await owner.call('POST', `/console/v1/jobs/${JOB}/pause`);
    expect([status, body.message]).toEqual([504, `${MAY_BE_DONE}. GET /console/v1/jobs/{jobId} ${SHOWS}`]);
  });
});
