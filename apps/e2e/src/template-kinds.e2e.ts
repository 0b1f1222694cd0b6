import { randomUUID } from 'node:crypto';
import type { Schemas } from '@switchboard/client';
import { eventually } from '@switchboard/testing';
import { newAccount, newBusiness, type TestAccount, newUser } from './support/account';
import { type SignedIn, signIn } from './support/console';
import { fileOf } from './support/files';
import { freshPhone, receivedUpstream } from './support/simulator';
import { approved } from './support/templates';

type Components = NonNullable<Schemas['TemplateContent']['components']>;

const link = 'https://example.com/a.png';
const BODY = { type: 'BODY', text: 'Our news of this week.' };
const END_MS = 1_893_456_000_000;
const buttons = (...list: object[]) => ({ type: 'BUTTONS', buttons: list });
const text = (value: string) => ({ type: 'text' as const, text: value });

describe('template kinds from the console to the phone', () => {
  let account: TestAccount;
  let page: SignedIn;
  let picture = '';
  let video = '';

  beforeAll(async () => {
    account = await newAccount('Kinds of templates', { wabaId: await newBusiness() });
    const { email, password } = await newUser(account.accountId, 'admin');
    page = await signIn(email, password);
    [picture, video] = await Promise.all([uploaded(fileOf('image', 'a.png')), uploaded(fileOf('video', 'a.mp4'))]);
  }, 90_000);

  async function uploaded(file: File): Promise<string> {
    const form = new FormData();
    form.set('file', file);
    const { body } = await page.call('POST', '/templates/header-samples', form);
    return (body.sample as { id: string }).id;
  }

  /** Creates and submits a draft and waits until it can be sent. @returns its name */
  async function made(what: string, components: object[], category = 'MARKETING'): Promise<string> {
    const name = `${what}_${randomUUID().replaceAll('-', '')}`;
    const content = { name, language: 'en_US', category, components };
    const { body } = await page.call('POST', '/template-drafts', content);
    const draft = body.draft as { id: string; faults: object[] };
    expect(draft.faults).toEqual([]);
    expect((await page.call('POST', `/template-drafts/${draft.id}/submit`)).status).toBe(200);
    await eventually(
      async () =>
        expect((await page.call('GET', `/template-drafts/${draft.id}`)).body.draft).toMatchObject({
          state: 'submitted',
          problem: null,
        }),
      { timeoutMs: 30_000 },
    );
    await approved(account, [name]);
    return name;
  }

  const send = (name: string, components: Components, to = freshPhone()) =>
    account.api.sendMessage({ to, type: 'template', template: { name, language: { code: 'en_US' }, components } });

  /** Returns the upstream request of a send. */
  async function onTheWire(name: string, components: Components): Promise<unknown> {
    const to = freshPhone();
    await send(name, components, to);
    const [message] = await receivedUpstream(to);
    return (message?.body['template'] as { components?: unknown }).components;
  }

  const refusalOf = (name: string, components: Components): Promise<unknown> =>
    send(name, components).catch((error: unknown) => error);
  const mismatch = (reason: string): object => ({
    status: 400,
    code: 'TEMPLATE_PARAMS_MISMATCH',
    message: `template parameters do not match the template: ${reason}`,
  });

  it('support named variables', async () => {
    const name = await made(
      'named',
      [
        {
          type: 'HEADER',
          format: 'TEXT',
          text: 'For {{who}}',
          example: { header_text_named_params: [{ param_name: 'who', example: 'Ana' }] },
        },
        {
          type: 'BODY',
          text: 'Order {{order}} comes on {{day}} as planned.',
          example: {
            body_text_named_params: [
              { param_name: 'order', example: 'A-17' },
              { param_name: 'day', example: 'Monday' },
            ],
          },
        },
      ],
      'UTILITY',
    );
    const wanted = [
      { type: 'header', parameters: [{ type: 'text', parameter_name: 'who', text: 'Ana' }] },
      {
        type: 'body',
        parameters: [
          { type: 'text', parameter_name: 'order', text: 'A-17' },
          { type: 'text', parameter_name: 'day', text: 'Monday' },
        ],
      },
    ];
    expect(await onTheWire(name, wanted as Components)).toEqual(wanted);
    expect(
      await onTheWire(name, [
        { type: 'header', parameters: [text('Ana')] },
        { type: 'body', parameters: [text('A-17'), text('Monday')] },
      ]),
    ).toEqual(wanted);
  }, 90_000);

  it('support a carousel, listed and sent with its cards', async () => {
    const card = (sample: string, label: string) => ({
      components: [
        { type: 'HEADER', format: 'IMAGE', example: { header_handle: [sample] } },
        { type: 'BODY', text: 'Now only {{1}} for you.', example: { body_text: [['$1']] } },
        buttons(
          { type: 'QUICK_REPLY', text: 'More' },
          { type: 'URL', text: label, url: 'https://example.com/{{1}}', example: ['a'] },
        ),
      ],
    });
    const name = await made('carousel', [
      BODY,
      { type: 'CAROUSEL', cards: [card(picture, 'Buy'), card(picture, 'Buy it')] },
    ]);
    const [{ components: listed } = { components: [] }] = (await account.api.listTemplates({ name })).templates;
    expect(listed[1]).toMatchObject({
      type: 'CAROUSEL',
      cards: [{ components: [{ type: 'HEADER', format: 'IMAGE' }, { type: 'BODY' }, { type: 'BUTTONS' }] }, {}],
    });
    const sent = (card_index: number): NonNullable<Components[number]['cards']>[number] => ({
      card_index,
      components: [
        { type: 'header', parameters: [{ type: 'image' as const, image: { link } }] },
        { type: 'body', parameters: [text(`$${card_index}`)] },
        {
          type: 'button',
          sub_type: 'quick_reply',
          index: '0',
          parameters: [{ type: 'payload' as const, payload: 'more' }],
        },
        { type: 'button', sub_type: 'url', index: '1', parameters: [text('a')] },
      ],
    });
    const components: Components = [{ type: 'carousel', cards: [sent(0), sent(1)] }];
    expect(await onTheWire(name, components)).toEqual(components);
    expect(await refusalOf(name, [])).toMatchObject(mismatch('the carousel expects 2 cards, 0 given'));
    expect(await refusalOf(name, [{ type: 'carousel', cards: [sent(0)] }])).toMatchObject(
      mismatch('the carousel expects 2 cards, 1 given'),
    );
  }, 90_000);

  it('support a limited-time offer with its code', async () => {
    const offer = { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends soon!', has_expiration: true } };
    const url = { type: 'URL', text: 'Buy', url: 'https://example.com/{{1}}', example: ['a'] };
    const name = await made('offer', [offer, BODY, buttons({ type: 'COPY_CODE', example: 'SAVE10' }, url)]);
    const components: Components = [
      {
        type: 'limited_time_offer',
        parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: END_MS } }],
      },
      {
        type: 'button',
        sub_type: 'copy_code',
        index: '0',
        parameters: [{ type: 'coupon_code', coupon_code: 'SAVE20' }],
      },
      { type: 'button', sub_type: 'url', index: '1', parameters: [text('a')] },
    ];
    expect(await onTheWire(name, components)).toEqual(components);
    expect(await refusalOf(name, components.slice(1))).toMatchObject(
      mismatch('the limited-time offer expects 1 limited_time_offer, 0 given'),
    );
  }, 90_000);

  it('support a product', async () => {
    const [head, view] = [{ type: 'HEADER', format: 'PRODUCT' }, buttons({ type: 'SPM', text: 'View' })];
    const product = await made('product', [head, BODY, { type: 'FOOTER', text: 'Acme' }, view]);
    const chosen = [
      {
        type: 'header',
        parameters: [{ type: 'product', product: { product_retailer_id: 'SKU-1', catalog_id: '194836987003835' } }],
      },
    ] as Components;
    expect(await onTheWire(product, chosen)).toEqual(chosen);
    expect(await refusalOf(product, [])).toMatchObject({ status: 400, code: 'TEMPLATE_PARAMS_MISMATCH' });
    const content = { name: 'product', language: 'en_US', category: 'UTILITY', components: [BODY, view] };
    const { body } = await page.call('POST', '/template-drafts', content);
    expect((body.draft as { faults: { field: string }[] }).faults.map(({ field }) => field)).toEqual([
      'category',
      'header.format',
    ]);
  }, 90_000);

  it('support a catalog and a list of products', async () => {
    const catalogue = await made('catalogue', [BODY, buttons({ type: 'CATALOG', text: 'View catalog' })]);
    const picked: Components = [
      {
        type: 'button',
        sub_type: 'catalog',
        index: '0',
        parameters: [{ type: 'action', action: { thumbnail_product_retailer_id: 'SKU-1' } }],
      },
    ];
    expect(await onTheWire(catalogue, picked)).toEqual(picked);
    expect(await onTheWire(catalogue, [])).toBeUndefined();
    const products = await made('products', [
      { type: 'HEADER', format: 'TEXT', text: 'New' },
      BODY,
      buttons({ type: 'MPM', text: 'View items' }),
    ]);
    const sections = [
      { title: 'New', product_items: [{ product_retailer_id: 'SKU-1' }, { product_retailer_id: 'SKU-2' }] },
      { title: 'Old', product_items: [{ product_retailer_id: 'SKU-3' }] },
    ];
    const chosen: Components = [
      {
        type: 'button',
        sub_type: 'mpm',
        index: '0',
        parameters: [{ type: 'action', action: { thumbnail_product_retailer_id: 'SKU-1', sections } }],
      },
    ];
    expect(await onTheWire(products, chosen)).toEqual(chosen);
    expect(await refusalOf(products, [])).toMatchObject(mismatch('button 0 expects 1 action, 0 given'));
  }, 90_000);

  it('support a flow', async () => {
    const flow = {
      type: 'FLOW',
      text: 'Book',
      flow_id: '1234567890',
      flow_action: 'navigate',
      navigate_screen: 'FIRST',
    };
    const name = await made('flow', [BODY, buttons(flow)], 'UTILITY');
    const action = { flow_token: 'visit-7', flow_action_data: { date: '2026-12-01', seats: [1, 2] } };
    const components: Components = [
      { type: 'button', sub_type: 'flow', index: '0', parameters: [{ type: 'action', action }] },
    ];
    expect(await onTheWire(name, components)).toEqual(components);
    const unused = { type: 'button', sub_type: 'flow', index: '0' };
    expect(await onTheWire(name, [])).toEqual([
      { ...unused, parameters: [{ type: 'action', action: { flow_token: 'unused' } }] },
    ]);
    const nul = { flow_action_data: { 'a\u0000': 1 } };
    expect(
      await refusalOf(name, [
        { type: 'button', sub_type: 'flow', index: '0', parameters: [{ type: 'action', action: nul }] },
      ]),
    ).toMatchObject({ status: 422, code: 'INVALID_VALUE' });
  }, 90_000);

  it('support a GIF header', async () => {
    const name = await made('gif', [{ type: 'HEADER', format: 'GIF', example: { header_handle: [video] } }, BODY]);
    const components: Components = [
      { type: 'header', parameters: [{ type: 'gif', gif: { link: 'https://example.com/a.mp4' } }] },
    ];
    expect(await onTheWire(name, components)).toEqual(components);
  }, 90_000);

  it('reject unknown parts instead of dropping them', async () => {
    const name = await made('plain', [{ type: 'BODY', text: 'Your order is ready to be fetched.' }], 'UTILITY');
    expect(await refusalOf(name, [{ type: 'list' }] as unknown as Components)).toMatchObject(
      mismatch('component 0 is of type list, expected is one of header, body, button, limited_time_offer, carousel'),
    );
    expect(await refusalOf(name, [{ type: 'carousel', cards: [] }])).toMatchObject(
      mismatch('the template has no carousel, 0 cards given'),
    );
  }, 90_000);
});
