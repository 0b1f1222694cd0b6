import { camelCaseKeys } from './camel-case-keys';

describe('camelCaseKeys', () => {
  it('renames keys at every depth and keeps values and order', () => {
    const content = { mime_type: 'image/jpeg', list_reply: { row_id: 'a_b', items: [{ product_retailer_id: 1 }] }, sha256: 'x', note: null };
    expect(JSON.stringify(camelCaseKeys(content))).toBe(
      '{"mimeType":"image/jpeg","listReply":{"rowId":"a_b","items":[{"productRetailerId":1}]},"sha256":"x","note":null}',
    );
  });

  it('drops names that reach for the prototype', () => {
    expect(JSON.stringify(camelCaseKeys(JSON.parse('{"__proto__":{"a":1},"constructor":{"b":2},"id":"1"}')))).toBe('{"id":"1"}');
  });
});
