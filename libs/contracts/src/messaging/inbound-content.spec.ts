import { camelCaseKeys, inboundContent } from './inbound-content';

describe('camelCaseKeys', () => {
  it('renames keys at every depth and keeps their order', () => {
    const content = {
      mime_type: 'image/jpeg',
      list_reply: { row_id: 'a_b', items: [{ product_retailer_id: 1 }] },
      sha256: 'x',
      note: null,
    };
    expect(JSON.stringify(camelCaseKeys(content))).toBe(
      '{"mimeType":"image/jpeg","listReply":{"rowId":"a_b","items":[{"productRetailerId":1}]},"sha256":"x","note":null}',
    );
  });

  it("drops keys that could change an object's prototype", () => {
    expect(JSON.stringify(camelCaseKeys(JSON.parse('{"__proto__":{"a":1},"constructor":{"b":2},"id":"1"}')))).toBe(
      '{"id":"1"}',
    );
  });
});

describe('inbound content', () => {
  it('places the file link after the id', () => {
    const content = { id: 'med_1', mime_type: 'image/jpeg', sha256: 'x', caption: 'my receipt' };
    const shown = inboundContent('image', content, 'https://api.example.com/');
    expect(JSON.stringify(shown.content)).toBe(
      '{"id":"med_1","link":"https://api.example.com/v1/media/med_1","mimeType":"image/jpeg","sha256":"x","caption":"my receipt"}',
    );
  });

  it.each([{ toString: 1, valueOf: 1 }, [[null]], 7, null])('has no link for a file with id %j', (id) => {
    const shown = inboundContent('image', { id, mime_type: 'image/jpeg' }, 'https://api.example.com');
    expect(shown).toEqual({ type: 'image', content: { mimeType: 'image/jpeg' } });
  });

  it.each(['system', '__proto__', 'IMAGE'])('shows only the type of the unsupported type %j', (type) => {
    expect(inboundContent(type, { body: 'x' }, 'https://api.example.com')).toEqual({
      type: 'unsupported',
      content: { type },
    });
  });

  it.each([
    [
      { type: 'user_changed_number', wa_id: '919812345679', user_id: 'IN.2', body: 'x' },
      { notice: 'user_changed_number', phone: '919812345679', userId: 'IN.2' },
    ],
    [
      { type: 'customer_changed_number', wa_id: '919812345679' },
      { notice: 'customer_changed_number', phone: '919812345679' },
    ],
    [
      { type: 'user_changed_number', new_wa_id: '+919812345679', body: 'x' },
      { notice: 'user_changed_number', phone: '919812345679' },
    ],
    [
      { type: 'user_changed_user_id', user_id: 'IN.2', wa_id: 7 },
      { notice: 'user_changed_user_id', userId: 'IN.2' },
    ],
    [{ type: 'customer_identity_changed', wa_id: '919812345679' }, {}],
  ])('shows the new identity from the notice %j', (content, notice) => {
    expect(inboundContent('system', content, 'https://api.example.com')).toEqual({
      type: 'unsupported',
      content: { type: 'system', ...notice },
    });
  });

  it.each([
    [{ message_id: 'wamid.1', emoji: '👍' }, '👍'],
    [{ message_id: 'wamid.1' }, ''],
    [{ message_id: 'wamid.1', emoji: '' }, ''],
    [{ message_id: 'wamid.1', emoji: null }, ''],
  ])('reads the emoji from the reaction %j', (content, emoji) => {
    expect(inboundContent('reaction', content, 'https://api.example.com')).toEqual({
      type: 'reaction',
      content: { messageId: 'wamid.1', emoji },
    });
  });

  it('is empty for a call', () => {
    expect(inboundContent('call', null, 'https://api.example.com')).toEqual({ type: 'call' });
  });

  it.each(['unsupported', 'unknown'])('shows the upstream type of a message of type %j', (type) => {
    const content = { type: 'poll_creation', body: 'x' };
    expect(inboundContent(type, content, 'https://api.example.com')).toEqual({
      type: 'unsupported',
      content: { type: 'poll_creation' },
    });
  });

  it.each([[null], [{ body: 'x' }], [{ type: { a: 1 } }], [{ type: '' }], [{ type: 'x'.repeat(65) }], [[1]]])(
    'is empty if %j has no usable type',
    (content) => {
      expect(inboundContent('unsupported', content, 'https://api.example.com')).toEqual({ type: 'unsupported' });
    },
  );
});
