import { randomUUID } from 'node:crypto';
import { call, type Answer } from './support/api';
import { demo } from './support/installation';
import { fileOf } from './support/files';
import { contactWithOpenWindow, receivedUpstream } from './support/simulator';

const text = (to: string, body = 'once') => ({ to, type: 'text', text: { body } });

describe('Idempotency-Key', () => {
  const send = (key: string, body: object | string): Promise<Answer> =>
    call('POST', '/messages/send', { body, headers: { 'idempotency-key': key } });

  async function upload(key: string, to: string, file: File): Promise<Answer> {
    const form = new FormData();
    for (const [name, value] of Object.entries({ to, type: 'image' })) form.append(name, value);
    form.append('file', file);
    const response = await fetch(`${demo.baseUrl}/messages/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${demo.apiKey}`, 'idempotency-key': key },
      body: form,
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
  }

  it('repeats the first response without sending again', async () => {
    const to = await contactWithOpenWindow();
    const key = randomUUID();
    const first = await send(key, text(to));
    const again = await send(key, text(to));
    expect([first.headers.get('idempotency-replay'), again.headers.get('idempotency-replay')]).toEqual([null, 'true']);
    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body });
    expect(await receivedUpstream(to)).toMatchObject([{ wamid: first.body['message_id'], count: 1 }]);
  });

  it('is rejected when reused with another body', async () => {
    const to = await contactWithOpenWindow();
    const key = randomUUID();
    await send(key, text(to));
    expect(await send(key, text(to, 'twice'))).toMatchObject({
      status: 422,
      body: {
        code: 'IDEMPOTENCY_MISMATCH',
        message: 'this Idempotency-Key was used with another body: a new request needs a new key',
      },
    });
    expect(await receivedUpstream(to)).toHaveLength(1);
  });

  it('executes one of twenty concurrent requests', async () => {
    const to = await contactWithOpenWindow();
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(key, text(to))));
    const codes = answers.map(({ status, body }) => (status === 200 ? 'sent' : body['code']));
    expect(codes.filter((code) => code !== 'sent' && code !== 'IDEMPOTENCY_IN_PROGRESS')).toEqual([]);
    expect(codes).toContain('sent');
    expect(new Set(answers.flatMap(({ status, body }) => (status === 200 ? [body['message_id']] : []))).size).toBe(1);
    expect(await receivedUpstream(to)).toMatchObject([{ count: 1 }]);
    for (const { status, headers } of answers) if (status === 409) expect(headers.get('x-request-id')).not.toBeNull();
  });

  it('sends the same upload once and rejects a different file', async () => {
    const to = await contactWithOpenWindow();
    const key = randomUUID();
    const file = fileOf('image', 'a.png');
    const first = await upload(key, to, file);
    expect(first.status).toBe(200);
    const again = await upload(key, to, file);
    expect({ body: again.body, replay: again.headers.get('idempotency-replay') }).toEqual({
      body: first.body,
      replay: 'true',
    });
    expect(await upload(key, to, fileOf('image', 'a.png'))).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_MISMATCH' },
    });
    expect(await receivedUpstream(to)).toMatchObject([{ count: 1 }]);
  });
});
