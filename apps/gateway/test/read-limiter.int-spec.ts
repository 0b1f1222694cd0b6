import { once } from 'node:events';
import { connect } from 'node:net';
import { listJobsV1, listMessagesV1, listRecipientsV1 } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { signedIn } from './support/console';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { type Answer, call } from './support/http';

const WAITING_MOST = 50;
const JOB_ID = 'job_01jd0000000000000000000000';

describe('reads of one account', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  /** Resumes the blocked reads. */
  let release: () => void;

  beforeAll(async () => {
    gateway = await startGateway({ standing: ['messaging', 'jobs'] });
  });
  beforeEach(async () => {
    gateway.fakes.reset();
    customer = await gateway.customer();
    release = hold();
  });
  afterEach(() => release());
  afterAll(() => gateway.close());

  /** Blocks all list and download pages until released. */
  function hold(): () => void {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    for (const contract of [listMessagesV1, listJobsV1, listRecipientsV1]) {
      gateway.fakes.answer(contract, async () => {
        await opened;
        return contract.sample.response;
      });
    }
    return open;
  }

  const get = (path: string, { apiKey } = customer): Promise<Answer> => call(`${gateway.url}${path}`, { key: apiKey });
  const asked = (): number => gateway.fakes.of(listMessagesV1).length + gateway.fakes.of(listJobsV1).length;
  const statusesOf = (answers: Answer[]): number[] => answers.map(({ status }) => status);

  it('run two at a time while further reads wait', async () => {
    const answers = Promise.all(
      ['/v1/messages', '/v1/jobs', '/v1/messages', '/v1/messages', '/v1/jobs'].map((path) => get(path)),
    );
    await eventually(() => expect(asked()).toBe(2));
    // Other accounts do not wait. The third read would have started by the time this response arrives.
    const other = await gateway.customer();
    const neighbour = get('/v1/messages', other);
    await eventually(() => expect(asked()).toBe(3));
    expect(
      gateway.fakes.of(listMessagesV1).filter(({ accountId }) => accountId === customer.accountId).length +
        gateway.fakes.of(listJobsV1).length,
    ).toBe(2);
    release();
    expect(statusesOf(await answers)).toEqual([200, 200, 200, 200, 200]);
    expect((await neighbour).status).toBe(200);
  });

  it('return 429 with Retry-After after waiting too long', async () => {
    const refusals: Answer[] = [];
    const answers = Array.from({ length: 2 + WAITING_MOST + 5 }, async () => {
      const answer = await get('/v1/messages');
      if (answer.status !== 200) refusals.push(answer);
      return answer;
    });
    await eventually(() => expect(refusals.length).toBe(WAITING_MOST + 5));
    for (const { status, body, headers } of refusals) {
      expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '1']);
      expect(body.message).toMatch(
        /^rate limit exceeded: your account may have 2 requests of this kind in progress at a time/,
      );
    }
    release();
    expect(statusesOf(await Promise.all(answers)).filter((status) => status === 200)).toHaveLength(2);
    expect((await get('/v1/messages')).status).toBe(200);
  });

  it('release their slots on disconnect', async () => {
    const gone = new AbortController();
    const headers = { authorization: `Bearer ${customer.apiKey}` };
    const left = Promise.allSettled(
      [1, 2, 3].map(() => fetch(`${gateway.url}/v1/messages`, { headers, signal: gone.signal })),
    );
    await eventually(() => expect(asked()).toBe(2));
    gone.abort();
    await left;
    const next = get('/v1/messages');
    await eventually(() => expect(asked()).toBeGreaterThan(2));
    release();
    expect((await next).status).toBe(200);
  });

  it('release the slots of pipelined requests on disconnect', async () => {
    const { hostname, port } = new URL(gateway.url);
    const read = `GET /v1/messages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${customer.apiKey}\r\n\r\n`;
    const socket = connect(Number(port), hostname, () => socket.write(read.repeat(3)));
    await eventually(() => expect(asked()).toBe(2));
    socket.destroy();
    await once(socket, 'close');
    release();
    expect((await get('/v1/messages')).status).toBe(200);
  });

  it('hold a slot during a download and stop on disconnect', async () => {
    const browser = await signedIn(gateway, customer.accountId);
    const most = gateway.config.DOWNLOADS_PER_ACCOUNT;
    let isOpen = true;
    const waiting: (() => void)[] = [];
    gateway.fakes.answer(listMessagesV1, async ({ cursor }) => {
      if (isOpen && cursor !== undefined) await new Promise<void>((resolve) => waiting.push(resolve));
      return {
        ...listMessagesV1.sample.response,
        messages: [],
        nextCursor: isOpen || cursor !== undefined ? 'next' : null,
      };
    });
    const path = '/console/v1/exports/messages.csv';
    const gone = new AbortController();
    const headers = { cookie: browser.cookie };
    const files = Array.from({ length: most }, () =>
      fetch(`${gateway.url}${path}`, { headers, signal: gone.signal }).then((file) => file.text()),
    );
    const left = Promise.allSettled(files);
    // Each export has read its first page and waits for the second.
    await eventually(() => expect(waiting.length).toBe(most));
    gone.abort();
    await left;
    expect((await browser.call('GET', path)).status).toBe(429);
    const asked = gateway.fakes.of(listMessagesV1).length;
    isOpen = false;
    for (const go of waiting) go();
    await eventually(async () => expect((await browser.call('GET', path)).status).toBe(200));
    expect(gateway.fakes.of(listMessagesV1).length).toBe(asked + 1);
  });

  it('are not limited by downloads and do not block sends', async () => {
    const files = [1, 2, 3].map(() =>
      fetch(`${gateway.url}/v1/jobs/${JOB_ID}/results.csv`, {
        headers: { authorization: `Bearer ${customer.apiKey}` },
      }),
    );
    await eventually(() => expect(gateway.fakes.of(listRecipientsV1).length).toBe(3));
    const reads = [get('/v1/messages'), get('/v1/messages')];
    await eventually(() => expect(asked()).toBe(2));
    const sent = await call(`${gateway.url}/v1/messages/send`, {
      key: customer.apiKey,
      body: { to: '919812345678', type: 'text', text: { body: 'Hello' } },
    });
    expect(sent.status).toBe(200);
    release();
    expect(statusesOf(await Promise.all(reads))).toEqual([200, 200]);
    expect((await Promise.all(files)).map(({ status }) => status)).toEqual([200, 200, 200]);
    await Promise.all(files.map(async (file) => (await file).text()));
  });

  it('include reads in the console', async () => {
    const browser = await signedIn(gateway, customer.accountId);
    const reads = [get('/v1/messages'), get('/v1/messages')];
    await eventually(() => expect(asked()).toBe(2));
    expect((await browser.call('GET', '/console/v1/jobs')).status).toBe(429);
    release();
    await Promise.all(reads);
    expect((await browser.call('GET', '/console/v1/jobs')).status).toBe(200);
  });
});
