import { eventually } from '@switchboard/testing';
import { api, get } from './support/api';
import { demo } from './support/installation';
import { contactWithOpenWindow, setTemplateStatus } from './support/simulator';
import { createTemplate } from './support/templates';

describe('account reads', () => {
  it('return key, plan, credits, rate limit and numbers', async () => {
    const me = await get('/me');
    expect(me.body).toMatchObject({
      success: true,
      account: { id: demo.accountId, name: expect.any(String) },
      apiClient: { keyPrefix: expect.stringContaining('sb_live_') },
      plan: { features: expect.any(Array), limits: expect.any(Object) },
      credits: { utility: expect.any(Number) },
      rateLimit: { limit: expect.any(Number), remaining: expect.any(Number), windowSeconds: expect.any(Number) },
      numbers: [{ phoneNumber: demo.phoneNumber, qualityRating: 'GREEN', status: expect.any(String) }],
    });
    expect(me.headers.get('x-ratelimit-limit')).toBe(String((me.body['rateLimit'] as { limit: number }).limit));
    expect(JSON.stringify(me.body)).not.toContain(demo.apiKey);
  });

  it('return only approved templates, including new ones soon after approval', async () => {
    const names = async () => (await api.listTemplates()).templates.map(({ name }) => name);
    expect(await names()).toContain('order_update');
    expect(await names()).not.toContain('spring_sale');
    // Use a separate template, because other files send the shared ones.
    const { name } = await createTemplate([{ type: 'BODY', text: 'Spring is here.' }], { prefix: 'hold' });
    await setTemplateStatus(name, { language: 'en_US', event: 'APPROVED' });
    await eventually(async () => expect(await names()).toContain(name));
    await setTemplateStatus(name, { language: 'en_US', event: 'PENDING' });
    await eventually(async () => expect(await names()).not.toContain(name));
  });

  it('return messages, newest first, by page number and by cursor', async () => {
    const to = await contactWithOpenWindow();
    for (const body of ['one', 'two', 'three']) await api.sendMessage({ to, type: 'text', text: { body } });
    const texts = (answer: Awaited<ReturnType<typeof get>>) =>
      (answer.body['messages'] as { text: { body: string } }[]).map(({ text }) => text.body);
    const list = `/messages?phone=${to}&direction=outbound&limit=2`;
    const first = await get(list);
    expect(texts(first)).toEqual(['three', 'two']);
    expect(first.body['pagination']).toMatchObject({
      page: 1,
      limit: 2,
      total: 3,
      totalPages: 2,
      hasNext: true,
      nextCursor: expect.any(String),
    });
    expect(texts(await get(`${list}&page=2`))).toEqual(['one']);
    const { nextCursor } = first.body['pagination'] as { nextCursor: string };
    expect(texts(await get(`${list}&cursor=${encodeURIComponent(nextCursor)}`))).toEqual(['one']);
    expect(texts(await get(`${list}&page=9`))).toEqual([]);
    expect((await api.listMessages({ limit: 1000 })).pagination).toMatchObject({ limit: 100 });
    const all: (string | undefined)[] = [];
    for await (const message of api.items('listMessages', { phone: to, direction: 'outbound', limit: 1 }))
      all.push(message.text?.body);
    expect(all).toEqual(['three', 'two', 'one']);
  });

  it('return the API description and its reference page', async () => {
    const root = demo.baseUrl.replace(/\/v1$/, '');
    const description = (await (await fetch(`${root}/v1/openapi.json`)).json()) as {
      openapi: string;
      paths: Record<string, object>;
    };
    expect(description.openapi).toMatch(/^3\./);
    expect(Object.keys(description.paths)).toEqual(
      expect.arrayContaining(['/v1/messages/send', '/v1/messages', '/v1/me', '/v1/templates', '/v1/otp/verify']),
    );
    const page = await fetch(demo.docsUrl);
    expect({ status: page.status, type: page.headers.get('content-type') }).toEqual({
      status: 200,
      type: expect.stringContaining('text/html'),
    });
  });
});
