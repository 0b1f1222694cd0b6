/** Kind of template: its components, the values of its variables, and the resulting upstream components. */
export interface Kind {
  components: object[];
  options?: { category?: string; parameterFormat?: string };
  /** Values by variable name. If the template has a sample, the value equals that sample. */
  values: Record<string, string>;
  /** Expected upstream components. */
  wire: { type: string; sub_type?: string; index?: string; parameters?: object[]; cards?: object[] }[];
  /** Variables that the sample spreadsheet omits. */
  notInSample?: string[];
}

export const LINK = 'https://example.com/media/file';
const HANDLE = { header_handle: ['4::aW1hZ2U='] };
export const text = (value: string, name?: string): object => ({
  type: 'text',
  ...(name !== undefined && { parameter_name: name }),
  text: value,
});
const PLAIN = { type: 'BODY', text: 'Good morning to you.' };
const media = (format: string): object => ({ type: 'HEADER', format, example: HANDLE });
export const header = (...parameters: object[]) => ({ type: 'header', parameters });
export const body = (...parameters: object[]) => ({ type: 'body', parameters });
export const button = (sub_type: string, index: string, parameter: object) => ({
  type: 'button',
  sub_type,
  index,
  parameters: [parameter],
});

export const buttons = (...list: object[]) => ({ type: 'BUTTONS', buttons: list });
const END = '2030-01-31T18:00:00Z';
export const offerEnd = (time: number) => ({
  type: 'limited_time_offer',
  parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: time } }],
});
export const action = (value: object): object => ({ type: 'action', action: value });
const CARD = {
  components: [
    media('IMAGE'),
    { type: 'BODY', text: 'Now only {{1}} for you.', example: { body_text: [['$1']] } },
    buttons(
      { type: 'QUICK_REPLY', text: 'More' },
      { type: 'URL', text: 'Buy', url: 'https://example.com/{{1}}', example: ['https://example.com/lamp'] },
    ),
  ],
};
const PRODUCT_CARD = {
  components: [{ type: 'HEADER', format: 'PRODUCT' }, buttons({ type: 'SPM', text: 'View' })],
};
export const MARKETING = { category: 'MARKETING' };
export const SKUS = ['SKU-1', 'SKU-2'];
const CATALOG_ID = '194836987003835';

/** Every kind of template whose values the service sends. */
export const KINDS: Record<string, Kind> = {
  'nothing that varies': { components: [PLAIN], values: {}, wire: [] },
  'a text header, a numbered body out of order, and several buttons': {
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['A-17'] } },
      {
        type: 'BODY',
        text: 'On {{2}} the parcel of {{1}} comes to your door.',
        example: { body_text: [['Asha', 'Monday']] },
      },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Not now' },
          { type: 'QUICK_REPLY', text: 'Thanks' },
          { type: 'URL', text: 'Shop', url: 'https://example.com' },
          {
            type: 'URL',
            text: 'Track',
            url: 'https://example.com/track/{{1}}',
            example: ['https://example.com/track/order-7'],
          },
          { type: 'PHONE_NUMBER', text: 'Call', phone_number: '15550001111' },
        ],
      },
    ],
    values: { 'header 1': 'A-17', '1': 'Asha', '2': 'Monday', 'button 2': 'thanks', 'button 4': 'order-7' },
    wire: [
      header(text('A-17')),
      body(text('Asha'), text('Monday')),
      button('quick_reply', '1', { type: 'payload', payload: 'thanks' }),
      button('url', '3', text('order-7')),
    ],
    notInSample: ['button 2'],
  },
  'a named header and body, and a link': {
    options: { parameterFormat: 'NAMED' },
    components: [
      {
        type: 'HEADER',
        format: 'TEXT',
        text: 'From {{shop}}',
        example: { header_text_named_params: [{ param_name: 'shop', example: 'Acme' }] },
      },
      {
        type: 'BODY',
        text: 'Your order {{order_id}} is ready, dear {{first_name}}, please come.',
        example: {
          body_text_named_params: [
            { param_name: 'order_id', example: 'A-17' },
            { param_name: 'first_name', example: 'Asha' },
          ],
        },
      },
      {
        type: 'BUTTONS',
        buttons: [{ type: 'URL', text: 'Look', url: 'https://example.com/{{1}}', example: ['https://example.com/7'] }],
      },
    ],
    values: { 'header shop': 'Acme', order_id: 'A-17', first_name: 'Asha', 'button 1': '7' },
    wire: [
      header(text('Acme', 'shop')),
      body(text('A-17', 'order_id'), text('Asha', 'first_name')),
      button('url', '0', text('7')),
    ],
  },
  'an image header': {
    components: [media('IMAGE'), PLAIN],
    values: { 'header link': `${LINK}.png` },
    wire: [header({ type: 'image', image: { link: `${LINK}.png` } })],
  },
  'a video header': {
    components: [media('VIDEO'), PLAIN],
    values: { 'header link': `${LINK}.mp4` },
    wire: [header({ type: 'video', video: { link: `${LINK}.mp4` } })],
  },
  'a document header': {
    components: [media('DOCUMENT'), PLAIN],
    values: { 'header link': `${LINK}.pdf`, 'header filename': 'Bill 7.pdf' },
    wire: [header({ type: 'document', document: { link: `${LINK}.pdf`, filename: 'Bill 7.pdf' } })],
  },
  'a location header': {
    components: [{ type: 'HEADER', format: 'LOCATION' }, PLAIN],
    values: {
      'header latitude': '12.9716',
      'header longitude': '-77.5946',
      'header name': 'City store',
      'header address': '1 Market Road',
    },
    wire: [
      header({
        type: 'location',
        location: { latitude: '12.9716', longitude: '-77.5946', name: 'City store', address: '1 Market Road' },
      }),
    ],
  },
  'a coupon code': {
    options: { category: 'MARKETING' },
    components: [
      { type: 'BODY', text: 'Take {{1}} off your next order.', example: { body_text: [['20%']] } },
      { type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', example: 'SAVE20' }] },
    ],
    values: { '1': '20%', 'button 1': 'SAVE20' },
    wire: [body(text('20%')), button('copy_code', '0', { type: 'coupon_code', coupon_code: 'SAVE20' })],
  },
  'a GIF header': {
    options: MARKETING,
    components: [media('GIF'), PLAIN],
    values: { 'header link': `${LINK}.mp4` },
    wire: [header({ type: 'gif', gif: { link: `${LINK}.mp4` } })],
  },
  'a limited-time offer': {
    options: MARKETING,
    components: [
      { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends soon!', has_expiration: true } },
      PLAIN,
      buttons(
        { type: 'COPY_CODE', example: 'SAVE20' },
        { type: 'URL', text: 'Buy', url: 'https://example.com/{{1}}', example: ['https://example.com/lamp'] },
      ),
    ],
    values: { 'offer end': END, 'button 1': 'SAVE20', 'button 2': 'lamp' },
    wire: [
      offerEnd(Date.parse(END)),
      button('copy_code', '0', { type: 'coupon_code', coupon_code: 'SAVE20' }),
      button('url', '1', text('lamp')),
    ],
  },
  'a catalogue': {
    options: MARKETING,
    components: [PLAIN, buttons({ type: 'CATALOG', text: 'View catalog' })],
    values: { 'button 1': 'SKU-1' },
    wire: [button('catalog', '0', action({ thumbnail_product_retailer_id: 'SKU-1' }))],
  },
  'a flow': {
    components: [
      { type: 'BODY', text: 'Dear {{1}}, book your next visit with us.', example: { body_text: [['Asha']] } },
      buttons({ type: 'FLOW', text: 'Book', flow_id: '1234567890', flow_action: 'navigate', navigate_screen: 'FIRST' }),
    ],
    values: { '1': 'Asha', 'button 1': 'visit-7' },
    wire: [body(text('Asha')), button('flow', '0', action({ flow_token: 'visit-7' }))],
  },
  'a carousel': {
    options: MARKETING,
    components: [PLAIN, { type: 'CAROUSEL', cards: [CARD, CARD] }],
    values: {
      'card 1 header link': `${LINK}.png`,
      'card 1 1': '$1',
      'card 1 button 2': 'lamp',
      'card 2 header link': `${LINK}.png`,
      'card 2 1': '$1',
      'card 2 button 2': 'lamp',
    },
    wire: [
      {
        type: 'carousel',
        cards: [0, 1].map((card_index) => ({
          card_index,
          components: [
            header({ type: 'image', image: { link: `${LINK}.png` } }),
            body(text('$1')),
            button('url', '1', text('lamp')),
          ],
        })),
      },
    ],
  },
  'a carousel of products': {
    options: MARKETING,
    components: [PLAIN, { type: 'CAROUSEL', cards: [PRODUCT_CARD, PRODUCT_CARD] }],
    values: {
      'card 1 header product': 'SKU-1',
      'card 1 header catalog': CATALOG_ID,
      'card 2 header product': 'SKU-2',
      'card 2 header catalog': CATALOG_ID,
    },
    wire: [
      {
        type: 'carousel',
        cards: SKUS.map((id, card_index) => ({
          card_index,
          components: [header({ type: 'product', product: { product_retailer_id: id, catalog_id: CATALOG_ID } })],
        })),
      },
    ],
  },
  'the code of an authentication': {
    options: { category: 'AUTHENTICATION' },
    components: [
      { type: 'body', add_security_recommendation: true },
      { type: 'buttons', buttons: [{ type: 'otp', otp_type: 'copy_code', text: 'Copy code' }] },
    ],
    values: { '1': '123456', 'button 1': '123456' },
    wire: [body(text('123456')), button('url', '0', text('123456'))],
  },
};
