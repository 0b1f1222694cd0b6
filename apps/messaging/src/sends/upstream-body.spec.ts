import type { TemplateContent } from '@switchboard/contracts';
import { toUpstreamBody } from './upstream-body';

const message = { id: 'msg_1', recipient: '919812345678', caption: null, mediaId: null, answeredId: null };
const common = { to: '919812345678', biz_opaque_callback_data: 'msg_1' };
const link = 'https://example.com/a.png';
const MEDIA = 'med_01jd0000000000000000000000';

describe('toUpstreamBody', () => {
  it.each([
    ['text', { body: 'Hello' }, {}, { body: 'Hello' }],
    ['image', { link }, { caption: 'Here' }, { link, caption: 'Here' }],
    ['image', { link }, {}, { link }],
    [
      'document',
      { link, filename: 'invoice.pdf' },
      { caption: 'Invoice' },
      { link, filename: 'invoice.pdf', caption: 'Invoice' },
    ],
    [
      'document',
      { filename: 'invoice.pdf' },
      { mediaId: '1013859600285441' },
      { id: '1013859600285441', filename: 'invoice.pdf' },
    ],
    ['video', {}, { mediaId: '1166846181421424', caption: 'Clip' }, { id: '1166846181421424', caption: 'Clip' }],
    ['audio', { link }, {}, { link }],
    ['audio', { link, voice: true }, {}, { link, voice: true }],
    [
      'image',
      { id: MEDIA },
      { platformIds: new Map([[MEDIA, '1037']]), caption: 'Here' },
      { id: '1037', caption: 'Here' },
    ],
    [
      'interactive',
      { header: { type: 'image', image: { id: MEDIA } } },
      { platformIds: new Map([[MEDIA, '1037']]) },
      { header: { type: 'image', image: { id: '1037' } } },
    ],
  ])('builds a message of type %s', (type, content, more, wire) => {
    expect(toUpstreamBody({ ...message, ...more, type, content })).toEqual({ ...common, type, [type]: wire });
  });

  it('adds the message version and preserves flow input names', () => {
    const data = { firstName: 'Asha', last_name: 'R', image: { id: MEDIA }, seats: [{ seatRow: 'A' }] };
    const parameters = {
      flowId: '11',
      flowCta: 'Book',
      flowToken: 't1',
      mode: 'draft',
      flowActionPayload: { screen: 'A', data },
    };
    const body = { text: 'Shall we?' };
    const content = { type: 'flow', body, action: { name: 'flow', parameters } };
    const platformIds = new Map([[MEDIA, '1037']]);
    expect(toUpstreamBody({ ...message, platformIds, type: 'interactive', content }).interactive).toEqual({
      type: 'flow',
      body,
      action: {
        name: 'flow',
        parameters: {
          flow_message_version: '3',
          flow_id: '11',
          flow_cta: 'Book',
          flow_token: 't1',
          mode: 'draft',
          flow_action_payload: { screen: 'A', data },
        },
      },
    });
  });

  it('builds a product list in upstream format', () => {
    const sections = [{ title: 'New', productItems: [{ productRetailerId: 'SKU-17' }] }];
    const content = { type: 'product_list', action: { catalogId: '1948', sections } };
    expect(toUpstreamBody({ ...message, type: 'interactive', content }).interactive).toEqual({
      type: 'product_list',
      action: {
        catalog_id: '1948',
        sections: [{ title: 'New', product_items: [{ product_retailer_id: 'SKU-17' }] }],
      },
    });
  });

  it('passes template cards, offers and actions unchanged', () => {
    const action = { flow_token: 't', flow_action_data: { seats: [1, { row: 'A' }] } };
    const end = { expiration_time_ms: 1_767_225_600_000 };
    const product = { product_retailer_id: 'a', catalog_id: '1' };
    const offer = { type: 'limited_time_offer' as const, limited_time_offer: end };
    const picture = { type: 'image' as const, image: { link } };
    const content: TemplateContent = {
      name: 'news',
      language: { code: 'en_US' },
      components: [
        { type: 'LIMITED_TIME_OFFER', parameters: [offer] },
        { type: 'BUTTON', sub_type: 'FLOW', index: '0', parameters: [{ type: 'action', action }] },
        {
          type: 'CAROUSEL',
          cards: [
            { card_index: 1, components: [{ type: 'HEADER', parameters: [picture] }, { type: 'body' }] },
            { card_index: 0, components: [{ type: 'header', parameters: [{ type: 'product', product }] }] },
          ],
        },
        { type: 'header', parameters: [{ type: 'gif', gif: { link } }] },
      ],
    };
    expect(toUpstreamBody({ ...message, type: 'template', content }).template?.components).toEqual([
      { type: 'limited_time_offer', parameters: [offer] },
      { type: 'button', sub_type: 'flow', index: '0', parameters: [{ type: 'action', action }] },
      {
        type: 'carousel',
        cards: [
          { card_index: 1, components: [{ type: 'header', parameters: [picture] }] },
          { card_index: 0, components: [{ type: 'header', parameters: [{ type: 'product', product }] }] },
        ],
      },
      { type: 'header', parameters: [{ type: 'gif', gif: { link } }] },
    ]);
  });

  it('builds a template with every component type in upstream format', () => {
    const content: TemplateContent = {
      name: 'order_update',
      language: { code: 'en-US' },
      components: [
        { type: 'HEADER', parameters: [{ type: 'image', image: { link } }] },
        { type: 'Body', parameters: [{ type: 'text', text: 'Ana' }] },
        { type: 'body', parameters: [{ type: 'text', text: 'A-17', parameter_name: 'order' }] },
        { type: 'footer' },
        { type: 'BUTTON', sub_type: 'URL', index: '0', parameters: [{ type: 'text', text: 'track/A-17' }] },
        { type: 'button', sub_type: 'quick_reply', index: '1', parameters: [{ type: 'payload', payload: 'STOP' }] },
        { type: 'button', sub_type: 'quick_reply', index: '2', parameters: [{ type: 'text', text: 'MORE' }] },
        {
          type: 'button',
          sub_type: 'COPY_CODE',
          index: '3',
          parameters: [{ type: 'coupon_code', coupon_code: 'SAVE20' }],
        },
      ],
    };
    expect(toUpstreamBody({ ...message, type: 'template', content }).template).toEqual({
      name: 'order_update',
      language: { code: 'en_US' },
      components: [
        { type: 'header', parameters: [{ type: 'image', image: { link } }] },
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Ana' },
            { type: 'text', text: 'A-17', parameter_name: 'order' },
          ],
        },
        { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'track/A-17' }] },
        { type: 'button', sub_type: 'quick_reply', index: '1', parameters: [{ type: 'payload', payload: 'STOP' }] },
        { type: 'button', sub_type: 'quick_reply', index: '2', parameters: [{ type: 'payload', payload: 'MORE' }] },
        {
          type: 'button',
          sub_type: 'copy_code',
          index: '3',
          parameters: [{ type: 'coupon_code', coupon_code: 'SAVE20' }],
        },
      ],
    });
  });

  it('sets parameter_name on body parameters but not on button parameters', () => {
    const named = { type: 'text' as const, text: 'A-17', parameter_name: 'order' };
    const content: TemplateContent = {
      name: 'order_update',
      language: { code: 'en' },
      components: [
        { type: 'body', parameters: [named] },
        { type: 'button', sub_type: 'url', index: '0', parameters: [{ ...named, parameter_name: '1' }] },
      ],
    };
    expect(toUpstreamBody({ ...message, type: 'template', content }).template?.components).toEqual([
      { type: 'body', parameters: [named] },
      { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'A-17' }] },
    ]);
  });

  it('formats header coordinates as strings', () => {
    const location = { latitude: 12.9716, longitude: -77, name: 'City store' };
    const content: TemplateContent = {
      name: 'arrival',
      language: { code: 'en' },
      components: [{ type: 'header', parameters: [{ type: 'location', location }] }],
    };
    expect(toUpstreamBody({ ...message, type: 'template', content }).template?.components?.[0]?.parameters).toEqual([
      { type: 'location', location: { latitude: '12.9716', longitude: '-77', name: 'City store' } },
    ]);
  });

  it('omits components without parameters', () => {
    const content: TemplateContent = { name: 'welcome', language: { code: 'de' }, components: [{ type: 'body' }] };
    expect(toUpstreamBody({ ...message, type: 'template', content }).template).toEqual({
      name: 'welcome',
      language: { code: 'de' },
    });
  });

  it('throws for an unsupported type', () => {
    expect(() => toUpstreamBody({ ...message, type: 'order', content: {} })).toThrow('cannot be sent');
  });
});
