import { createJobV1, sendMessageV1 } from '@switchboard/contracts';
import { expectOurShape } from './support/error-shape';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { type Answer, call } from './support/http';

const to = '919812345678';
const language = { code: 'en_US' };

describe('send with oversized content in a body below 1 MB', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;

  beforeAll(async () => {
    gateway = await startGateway();
    customer = await gateway.customer();
  });
  afterAll(() => gateway.close());

  const post = (path: string, body: object): Promise<Answer> =>
    call(`${gateway.url}/v1${path}`, { method: 'POST', key: customer.apiKey, body });
  const templateOf = (characters: number): object => {
    const parameters = Array.from({ length: characters / 1_000 }, () => ({ type: 'text', text: 'x'.repeat(1_000) }));
    return {
      type: 'template',
      template: {
        name: 'order_update',
        language,
        components: Array.from({ length: 10 }, () => ({ type: 'body', parameters: parameters.splice(0, 100) })),
      },
    };
  };

  it.each([
    ['template components', { ...templateOf(900_000), to }, 'TEXT_TOO_LONG', 'template.components', '96 KB'],
    [
      'a link',
      { to, type: 'image', image: { link: `https://example.com/${'x'.repeat(900_000)}` } },
      'INVALID_LINK',
      'image.link',
      '2048 characters',
    ],
    [
      'a text',
      { to, type: 'text', text: { body: 'x'.repeat(900_000) } },
      'TEXT_TOO_LONG',
      'text.body',
      '4096 characters',
    ],
  ])('is rejected with 422 for %s', async (_title, body, code, field, limit) => {
    const answer = await post('/messages/send', body);
    expectOurShape(answer);
    expect([answer.status, answer.body.code, answer.body.details]).toEqual([
      422,
      code,
      [{ field, message: expect.stringContaining(limit) as string }],
    ]);
    expect(gateway.fakes.of(sendMessageV1)).toEqual([]);
  });

  it('is accepted if the message type ignores the content', async () => {
    const body = {
      ...templateOf(400_000),
      to,
      type: 'text',
      text: { body: 'Hello' },
      image: { link: 'x'.repeat(400_000) },
    };
    expect((await post('/messages/send', body)).status).toBe(200);
    expect(gateway.fakes.of(sendMessageV1)).toEqual([
      expect.objectContaining({ message: { to, type: 'text', text: { body: 'Hello' } } }),
    ]);
  });

  it('rejects only the recipient in a bulk call', async () => {
    const { template } = templateOf(0) as { template: object };
    const recipients = [
      { to, components: [{ type: 'body', parameters: [{ type: 'text', text: 'x'.repeat(300_000) }] }] },
      '919812345679',
    ];
    expect(
      (await post('/messages/send/bulk', { type: 'template', template: { ...template, components: [] }, recipients }))
        .status,
    ).toBe(201);
    const [{ rows }] = gateway.fakes.of(createJobV1) as [{ rows: object[] }];
    expect(rows).toEqual([
      {
        position: 0,
        phone: to,
        fault: { code: 'TEXT_TOO_LONG', message: 'components must take at most 96 KB as JSON' },
      },
      { position: 1, phone: '919812345679' },
    ]);
  });
});
