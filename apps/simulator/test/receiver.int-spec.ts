import { createHmac } from 'node:crypto';
import { PHONE_NUMBER_ID, startSimulator, type StartedSimulator } from './start-simulator';

let simulator: StartedSimulator;
beforeEach(async () => {
  simulator = await startSimulator();
});
afterEach(() => simulator.close());

interface Shown {
  method: string;
  path: string;
  status: number;
  body: string;
  isCut: boolean;
  bytes: number;
  verdict?: string;
}
const SECRET = 'whsec_c2VjcmV0';

const shown = (body: object = {}) => simulator.control<{ total: number; requests: Shown[] }>('receiver/requests', body);
const challenge = async (token: string, path = '') => {
  const query = new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.verify_token': token, 'hub.challenge': 'abc' });
  const answer = await fetch(`${simulator.url}/receiver${path}?${query.toString()}`);
  return [answer.status, await answer.text()];
};
const post = (body: string, headers: Record<string, string> = {}, path = '') =>
  fetch(`${simulator.url}/receiver${path}`, { method: 'POST', body, headers });

describe('webhook receiver', () => {
  it('responds to the challenge for its verify token at any path', async () => {
    expect(await simulator.control('receiver')).toEqual({ url: `${simulator.url}/receiver`, verifyToken: 'my-token' });
    expect(await challenge('my-token')).toEqual([200, 'abc']);
    await simulator.control('receiver', { verifyToken: 'chosen' });
    expect((await challenge('my-token', '/shop'))[0]).toBe(403);
    expect(await challenge('chosen', '/shop')).toEqual([200, 'abc']);
    expect((await shown()).requests.map(({ status }) => status)).toEqual([200, 403, 200]);
    await expect(simulator.control('receiver', { verifyToken: '' })).rejects.toThrow('HTTP 400');
  });

  it('lists requests, newest first, verified with the given secret', async () => {
    const body = '{"event":"message"}';
    const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
    expect((await post(body, { 'x-service-signature': signature }, '/shop?a=1')).status).toBe(200);
    await post('<xml/>', { 'content-type': 'text/xml' });
    const verdicts = async (secret?: string) => (await shown({ secret })).requests.map(({ verdict }) => verdict);
    expect(await verdicts()).toEqual(['unsigned', 'no secret given']);
    expect(await verdicts('whsec_other')).toEqual(['unsigned', 'invalid']);
    expect(await verdicts(` ${SECRET}\n`)).toEqual(['unsigned', 'valid']);
    expect((await shown()).requests).toMatchObject([
      { method: 'POST', path: '/receiver', body: '<xml/>' },
      { method: 'POST', path: '/receiver/shop?a=1', body, bytes: body.length },
    ]);
    await simulator.control('receiver/clear', {});
    expect(await shown()).toEqual({ total: 0, requests: [] });
  });

  it('keeps 200 requests, pages them and truncates long bodies', async () => {
    for (let count = 0; count < 205; count += 1) await post(String(count));
    expect((await shown({ limit: 3 })).requests.map(({ body }) => body)).toEqual(['204', '203', '202']);
    const { total, requests } = await shown({ limit: 1_000 });
    expect([total, requests.length, requests.at(-1)?.body]).toEqual([200, 200, '5']);
    await post('x'.repeat(100_000));
    expect((await shown({ limit: 1 })).requests).toMatchObject([{ isCut: true, bytes: 100_000 }]);
    expect((await post('x'.repeat(2_000_000))).status).toBe(413);
    await expect(shown({ limit: 0 })).rejects.toThrow('HTTP 400');
  });

  it('is cleared by a reset', async () => {
    await post('{}');
    await simulator.control('receiver', { verifyToken: 'chosen' });
    await simulator.control('reset', {});
    expect(await simulator.control('receiver')).toMatchObject({ verifyToken: 'my-token' });
    expect(await shown()).toEqual({ total: 0, requests: [] });
  });
});

describe('file bytes for the page', () => {
  it('are never served as executable content', async () => {
    const document = { data: Buffer.from('<script>1</script>').toString('base64'), mime_type: 'text/html' };
    const { messageId } = await simulator.control<{ messageId: string }>('inbound', {
      from: '919812345678',
      type: 'document',
      document,
    });
    const { messages } = await simulator.control<{ messages: { message: { id: string; document: { id: string } } }[] }>(
      'inbound',
    );
    const { id } = messages.find(({ message }) => message.id === messageId)!.message.document;
    const answer = await fetch(`${simulator.url}/_control/media/${id}`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    expect(await answer.text()).toBe('<script>1</script>');
    expect((await fetch(`${simulator.url}/_control/media/${PHONE_NUMBER_ID}`)).status).toBe(404);
  });
});
