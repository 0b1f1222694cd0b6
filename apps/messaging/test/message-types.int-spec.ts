import { newId, type SendMessageRequest, templateSample } from '@switchboard/contracts';
import { CUSTOMER, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

const link = 'https://example.com/a.png';

describe('send command', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging();
    account = await messaging.addAccount();
    await messaging.writeIn(account);
  });
  afterAll(() => messaging.stop());

  const wireOf = (id: string) => messaging.upstream.sends.filter(({ echo }) => echo === id).map(({ body }) => body);
  const rowOf = async (id: string) =>
    (await messaging.dataSource.query('SELECT * FROM messages WHERE id = $1', [id]))[0];

  it.each<[string, Partial<SendMessageRequest>, object, { content: object; caption: string | null }]>([
    ['text', { text: { body: 'Hello' } }, { text: { body: 'Hello' } }, { content: { body: 'Hello' }, caption: null }],
    [
      'image',
      { image: { link }, caption: 'Here' },
      { image: { link, caption: 'Here' } },
      { content: { link }, caption: 'Here' },
    ],
    [
      'image',
      { image: { link, caption: 'Within' } },
      { image: { link, caption: 'Within' } },
      { content: { link }, caption: 'Within' },
    ],
    ['video', { video: { link } }, { video: { link } }, { content: { link }, caption: null }],
    [
      'document',
      { document: { link, filename: 'a.pdf' } },
      { document: { link, filename: 'a.pdf' } },
      { content: { link, filename: 'a.pdf' }, caption: null },
    ],
    ['audio', { audio: { link } }, { audio: { link } }, { content: { link }, caption: null }],
  ])('sends and stores %s %j as requested', async (type, message, wire, row) => {
    const id = newId('msg');
    await messaging.send(account.accountId, { type: type as 'text', ...message }, id);
    expect(wireOf(id)).toEqual([
      {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: `+${CUSTOMER}`,
        type,
        ...wire,
        biz_opaque_callback_data: id,
      },
    ]);
    expect(await rowOf(id)).toMatchObject({ state: 'accepted', type, ...row });
  });

  it('sends a template with header, body and button values', async () => {
    messaging.templates.set('shipped', {
      ...templateSample,
      name: 'shipped',
      components: [
        { type: 'HEADER', format: 'IMAGE' },
        { type: 'BODY', text: 'Hi {{first_name}}, order {{order}}' },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'URL', text: 'Track', url: 'https://example.com/{{1}}' },
            { type: 'QUICK_REPLY', text: 'Stop' },
            { type: 'COPY_CODE' },
          ],
        },
      ],
    });
    const id = newId('msg');
    const components = [
      { type: 'HEADER', parameters: [{ type: 'image' as const, image: { link } }] },
      {
        type: 'body',
        parameters: [
          { type: 'text' as const, text: 'Ana' },
          { type: 'text' as const, text: 'A-17' },
        ],
      },
      { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text' as const, text: 'A-17' }] },
      {
        type: 'button',
        sub_type: 'quick_reply',
        index: '1',
        parameters: [{ type: 'payload' as const, payload: 'STOP' }],
      },
      {
        type: 'button',
        sub_type: 'copy_code',
        index: '2',
        parameters: [{ type: 'coupon_code' as const, coupon_code: 'SAVE20' }],
      },
    ];
    await messaging.send(
      account.accountId,
      { type: 'template', template: { name: 'shipped', language: { code: 'en-US' }, components } },
      id,
    );
    expect(wireOf(id)).toMatchObject([
      {
        template: {
          name: 'shipped',
          language: { code: 'en_US' },
          components: [
            { type: 'header', parameters: [{ type: 'image', image: { link } }] },
            {
              type: 'body',
              parameters: [
                { parameter_name: 'first_name', text: 'Ana' },
                { parameter_name: 'order', text: 'A-17' },
              ],
            },
            { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'A-17' }] },
            { type: 'button', sub_type: 'quick_reply', index: '1', parameters: [{ type: 'payload', payload: 'STOP' }] },
            {
              type: 'button',
              sub_type: 'copy_code',
              index: '2',
              parameters: [{ type: 'coupon_code', coupon_code: 'SAVE20' }],
            },
          ],
        },
      },
    ]);
  });

  it("requests the template from the number's business account", async () => {
    messaging.templates.set('hello', { ...templateSample, name: 'hello', components: [] });
    await messaging.send(account.accountId, {
      type: 'template',
      template: { name: 'hello', language: { code: 'en_US' } },
    });
    expect(messaging.templateQuestions.at(-1)).toMatchObject({ name: 'hello', wabaId: '100000000000001' });
  });
});
