import type { JsonObject } from '../json';
import type { StoredTemplate } from './seed';
import { checkTemplateSend } from './validate-template';

const BODY = { type: 'BODY', text: 'News.' };
const stored = (...components: StoredTemplate['components']): StoredTemplate => ({
  id: '1',
  name: 'news',
  language: 'en_US',
  status: 'APPROVED',
  category: 'MARKETING',
  parameter_format: 'POSITIONAL',
  components: [BODY, ...components],
});
/** Returns the media that the check requested; throws its errors. */
function check(template: StoredTemplate, components: JsonObject[]): unknown[] {
  const media: unknown[] = [];
  checkTemplateSend(
    { name: 'news', language: { code: 'en_US' }, components },
    { find: () => template },
    (kind, given) => media.push([kind, given]),
  );
  return media;
}
const code = (wanted: number) => expect.objectContaining({ code: wanted }) as Error;
const link = 'https://example.com/a.png';

describe('a carousel send', () => {
  const card = {
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Buy', url: 'https://example.com/{{1}}' }] },
    ],
  };
  const template = stored({ type: 'CAROUSEL', cards: [card, card] });
  const header = { type: 'header', parameters: [{ type: 'image', image: { link } }] };
  const url = { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'a' }] };
  const sent = (index: number, ...components: JsonObject[]): JsonObject => ({ card_index: index, components });
  const carousel = (...cards: JsonObject[]): JsonObject[] => [{ type: 'carousel', cards }];

  it('checks the picture and link of each card', () =>
    expect(check(template, carousel(sent(0, header, url), sent(1, header, url)))).toEqual([
      ['image', { link }],
      ['image', { link }],
    ]));

  it.each<[string, JsonObject[], number]>([
    ['without cards', [], 100],
    ['with a card too few', carousel(sent(0, header, url)), 132000],
    ['with a card twice', carousel(sent(0, header, url), sent(0, header, url)), 100],
    ['with a card without its picture', carousel(sent(0, header, url), sent(1, url)), 132012],
    ['with a card without its address', carousel(sent(0, header, url), sent(1, header)), 131008],
    [
      'with a carousel on a card',
      carousel(sent(0, header, url, { type: 'carousel', cards: [] }), sent(1, header, url)),
      100,
    ],
  ])('is rejected %s', (_case, components, wanted) => expect(() => check(template, components)).toThrow(code(wanted)));

  it('is rejected for a template without cards', () =>
    expect(() => check(stored(), carousel(sent(0, header)))).toThrow(code(132012)));
});

describe('an offer send', () => {
  const template = (ends: boolean) =>
    stored({ type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Soon', has_expiration: ends } });
  const end = (value: unknown): JsonObject => ({
    type: 'limited_time_offer',
    parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: value } }],
  });

  it('needs an expiration when its template has one', () => {
    expect(() => check(template(true), [end(1_767_225_600_000)])).not.toThrow();
    expect(() => check(template(false), [])).not.toThrow();
    expect(() => check(template(true), [])).toThrow(code(132000));
    expect(() => check(template(false), [end(1)])).toThrow(code(132000));
    expect(() => check(template(true), [end('soon')])).toThrow(code(100));
  });
});

describe('a button send', () => {
  const template = (type: string) => stored({ type: 'BUTTONS', buttons: [{ type, text: 'Open' }] });
  const button = (subType: string, action?: JsonObject): JsonObject => ({
    type: 'button',
    sub_type: subType,
    index: 0,
    parameters: [{ type: 'action', ...(action && { action }) }],
  });
  const products = (...counts: number[]): JsonObject => ({
    thumbnail_product_retailer_id: 'a',
    sections: counts.map((count, index) => ({
      title: `Section ${index}`,
      product_items: Array.from({ length: count }, () => ({ product_retailer_id: 'a' })),
    })),
  });

  it.each<[string, string, JsonObject[]]>([
    ['a catalogue', 'CATALOG', []],
    ['a catalogue with a picture', 'CATALOG', [button('catalog', { thumbnail_product_retailer_id: 'a' })]],
    ['products', 'MPM', [button('mpm', products(15, 15))]],
    ['a flow', 'FLOW', [button('flow', { flow_token: 't' })]],
  ])('is accepted: %s', (_case, type, components) => expect(() => check(template(type), components)).not.toThrow());

  it.each<[string, string, JsonObject[], number]>([
    ['a picture without an id', 'CATALOG', [button('catalog', {})], 100],
    ['no products', 'MPM', [], 131008],
    ['31 products', 'MPM', [button('mpm', products(16, 15))], 100],
    ['no flow', 'FLOW', [], 131008],
    ['no action', 'FLOW', [button('flow')], 100],
    ['another kind', 'FLOW', [button('mpm', products(1))], 132012],
  ])('is rejected: %s', (_case, type, components, wanted) =>
    expect(() => check(template(type), components)).toThrow(code(wanted)),
  );
});
