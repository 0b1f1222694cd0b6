import type { Schemas } from '@switchboard/client';
import { eventually } from '@switchboard/testing';
import { newAccount, type TestAccount } from './support/account';
import { approved, createTemplate } from './support/templates';
import { freshPhone, receivedUpstream, setTemplateStatus } from './support/simulator';
import { type Listener, listenFor } from './support/webhooks';

type Content = Schemas['TemplateContent'];
type Components = NonNullable<Content['components']>;

const text = (value: string): { type: 'text'; text: string } => ({ type: 'text', text: value });
const body = (...values: string[]): Components[number] => ({ type: 'body', parameters: values.map(text) });
const HANDLE = { header_handle: ['4::aW1hZ2U='] };

describe('a template message', () => {
  let account: TestAccount;
  let listener: Listener;
  /** Template with a header image, a body with two variables, a URL with one, and a quick reply. */
  let offer: { name: string; id: string };
  /** Template with a variable in its header text. */
  let greeting: { name: string; id: string };
  let receipt: { name: string; id: string };

  beforeAll(async () => {
    [offer, greeting, receipt] = await Promise.all([
      createTemplate([
        { type: 'HEADER', format: 'IMAGE', example: HANDLE },
        {
          type: 'BODY',
          text: 'Hello {{1}}, we are glad to say that {{2}} has come.',
          example: { body_text: [['Ana', 'your order']] },
        },
        { type: 'FOOTER', text: 'Demo' },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'QUICK_REPLY', text: 'Not now' },
            { type: 'URL', text: 'Look', url: 'https://example.com/{{1}}', example: ['https://example.com/7'] },
          ],
        },
      ]),
      createTemplate([
        { type: 'HEADER', format: 'TEXT', text: 'For {{1}}', example: { header_text: ['Ana'] } },
        { type: 'BODY', text: 'Good morning.' },
      ]),
      createTemplate([
        { type: 'HEADER', format: 'DOCUMENT', example: HANDLE },
        { type: 'BODY', text: 'Your receipt.' },
      ]),
    ]);
    account = await newAccount('Templates');
    [listener] = await Promise.all([
      listenFor(account.accountId),
      approved(account, [offer.name, greeting.name, receipt.name]),
    ]);
  }, 90_000);
  afterAll(() => listener.receiver.close());

  const send = (to: string, template: Content): ReturnType<TestAccount['api']['sendMessage']> =>
    account.api.sendMessage({ to, type: 'template', template });
  const offerComponents = (): Components => [
    { type: 'header', parameters: [{ type: 'image', image: { link: 'https://example.com/a.png' } }] },
    body('Ana', 'your order'),
    { type: 'button', sub_type: 'url', index: '1', parameters: [text('order-7')] },
    { type: 'button', sub_type: 'quick_reply', index: '0', parameters: [{ type: 'payload', payload: 'later' }] },
  ];

  async function onTheWire(template: Content): Promise<unknown> {
    const to = freshPhone();
    const { message_id } = await send(to, template);
    const received = await receivedUpstream(to);
    expect(received.map(({ wamid, count }) => ({ wamid, count }))).toEqual([{ wamid: message_id, count: 1 }]);
    return received[0]?.body['template'];
  }

  it("contains header image, body, URL and quick reply in the platform's format", async () => {
    expect(await onTheWire({ name: offer.name, language: { code: 'en_US' }, components: offerComponents() })).toEqual({
      name: offer.name,
      language: { code: 'en_US' },
      components: [
        { type: 'header', parameters: [{ type: 'image', image: { link: 'https://example.com/a.png' } }] },
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Ana' },
            { type: 'text', text: 'your order' },
          ],
        },
        { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'order-7' }] },
        { type: 'button', sub_type: 'quick_reply', index: '0', parameters: [{ type: 'payload', payload: 'later' }] },
      ],
    });
  });

  it('accepts types in either case, dashed languages and numeric indexes', async () => {
    const components = offerComponents().map((component) => ({
      ...component,
      type: component.type.toUpperCase(),
      ...(component.index && { index: Number(component.index) }),
    }));
    const sent = await onTheWire({
      name: offer.name,
      language: { code: 'en-US' },
      components: components as unknown as Components,
    });
    expect(sent).toMatchObject({
      language: { code: 'en_US' },
      components: [
        { type: 'header' },
        { type: 'body' },
        { type: 'button', index: '1' },
        { type: 'button', index: '0' },
      ],
    });
  });

  it('accepts a header text, and a document with its name', async () => {
    expect(
      await onTheWire({
        name: greeting.name,
        language: { code: 'en_US' },
        components: [{ type: 'header', parameters: [text('Ana')] }],
      }),
    ).toMatchObject({
      components: [{ type: 'header', parameters: [{ type: 'text', text: 'Ana' }] }],
    });
    const document = { link: 'https://example.com/a.pdf', filename: 'Receipt 7.pdf' };
    expect(
      await onTheWire({
        name: receipt.name,
        language: { code: 'en_US' },
        components: [{ type: 'header', parameters: [{ type: 'document', document }] }],
      }),
    ).toMatchObject({
      components: [{ type: 'header', parameters: [{ type: 'document', document }] }],
    });
  });

  it.each([
    ['no components', () => []],
    ['no header', () => offerComponents().slice(1)],
    ['no address', () => offerComponents().filter(({ sub_type }) => sub_type !== 'url')],
    [
      'one value too few',
      () => offerComponents().map((component) => (component.type === 'body' ? body('Ana') : component)),
    ],
    [
      'one value too many',
      () => offerComponents().map((component) => (component.type === 'body' ? body('Ana', 'a', 'b') : component)),
    ],
    ['a text for the image', () => [{ type: 'header', parameters: [text('Ana')] }, ...offerComponents().slice(1)]],
    [
      'a line break, which the platform refuses',
      () => offerComponents().map((component) => (component.type === 'body' ? body('Ana\nB', 'a') : component)),
    ],
    [
      'a button that it has not',
      () => [...offerComponents(), { type: 'button', sub_type: 'url', index: '5', parameters: [text('x')] }],
    ],
  ] as [string, () => Components][])('is rejected before sending: %s', async (_what, components) => {
    const to = freshPhone();
    const refusal = await send(to, { name: offer.name, language: { code: 'en_US' }, components: components() }).catch(
      (error: unknown) => error,
    );
    expect(refusal).toMatchObject({
      status: 400,
      code: 'TEMPLATE_PARAMS_MISMATCH',
      message: expect.stringMatching(/^template parameters do not match the template: .+/),
    });
    expect(await receivedUpstream(to)).toEqual([]);
  });

  it('is not found in a language without approval', async () => {
    const to = freshPhone();
    const refusal = await send(to, {
      name: greeting.name,
      language: { code: 'de' },
      components: [{ type: 'header', parameters: [text('Ana')] }],
    }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      status: 400,
      code: 'TEMPLATE_NOT_FOUND',
      message: expect.stringMatching(/^template not found or not approved: \S+ has the languages? .*en/),
    });
    expect(await receivedUpstream(to)).toEqual([]);
  });

  it('is rejected soon after its template was paused, with an event', async () => {
    const components: Components = [{ type: 'header', parameters: [text('Ana')] }];
    const template = { name: greeting.name, language: { code: 'en_US' }, components };
    await send(freshPhone(), template);
    await setTemplateStatus(greeting.name, { language: 'en_US', event: 'PAUSED' });
    // The platform's own error has a longer text, so this one is from the service, before anything is sent.
    const refusal = { status: 400, code: 'TEMPLATE_NOT_APPROVED', message: 'template not found or not approved' };
    await eventually(
      async () => expect(await send(freshPhone(), template).catch((error: unknown) => error)).toMatchObject(refusal),
      { timeoutMs: 10_000 },
    );
    const isPause = (event: object): boolean =>
      'templateName' in event &&
      event.templateName === greeting.name &&
      'status' in event &&
      event.status === 'FLAGGED';
    const announced = await eventually(() => {
      const found = listener.events().filter(isPause);
      expect(found).toHaveLength(1);
      return found[0];
    });
    expect(announced).toEqual({
      event: 'template_status',
      templateName: greeting.name,
      templateId: greeting.id,
      status: 'FLAGGED',
      timestamp: expect.any(String),
      language: 'en_US',
      category: 'UTILITY',
      previousStatus: 'APPROVED',
      reason: null,
      sendable: false,
      eventId: expect.stringMatching(/^evt_/),
    });
    expect((await account.api.listTemplates()).templates.map(({ name }) => name)).not.toContain(greeting.name);
  });
});
