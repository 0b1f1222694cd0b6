import { previewOf, templateOf } from './preview';

const preview = (type: string, content: object | null, caption: string | null = null) =>
  previewOf({ type, content, caption });

describe('previewOf', () => {
  it.each([
    ['text', { body: 'Hello\n\n there ' }, 'Hello there'],
    ['template', { name: 'order_update', language: { code: 'en' } }, 'order_update'],
    ['image', { id: 'med_1', caption: 'Taj' }, 'Taj'],
    ['document', { id: 'med_1', filename: 'bill.pdf' }, 'bill.pdf'],
    ['location', { latitude: 1, longitude: 2, address: 'Main St 1' }, 'Main St 1'],
    ['button', { payload: 'yes', text: 'Yes' }, 'Yes'],
    ['reaction', { emoji: '👍' }, '👍'],
    ['interactive', { type: 'list_reply', list_reply: { id: '1', title: 'Tomorrow' } }, 'Tomorrow'],
    ['interactive', { type: 'button', body: { text: 'When?' }, action: { buttons: [] } }, 'When?'],
    ['interactive', { type: 'nfm_reply', nfm_reply: { body: 'Sent', response_json: '{}' } }, 'Sent'],
    ['interactive', { type: 'product', action: { catalogId: '1', productRetailerId: 'SKU-17' } }, 'SKU-17'],
    ['contacts', [{ name: { formatted_name: 'Bo Li' } }], 'Bo Li'],
    ['contacts', [{ name: { formattedName: 'Bo Li' } }], 'Bo Li'],
  ])('returns the readable text of a message: %s', (type, content, expected) => {
    expect(preview(type, content)).toBe(expected);
  });

  it.each([
    ['image', { link: 'https://example.com/a.jpg' }],
    ['text', null],
    ['text', { body: 7 }],
    ['contacts', []],
    ['interactive', { type: 'call_permission_reply', call_permission_reply: { response: 'accept' } }],
    ['unsupported', { type: 'edit' }],
    ['constructor', { body: 'x' }],
    ['text', { body: ' \n ' }],
  ])('returns null for unreadable content: %s %j', (type, content) => {
    expect(preview(type, content)).toBeNull();
  });

  it('prefers the caption, and truncates between characters', () => {
    expect(preview('image', { caption: 'inner' }, 'outer')).toBe('outer');
    const long = preview('text', { body: '😀'.repeat(200) });
    expect(long).toBe(`${'😀'.repeat(99)}…`);
  });
});

describe('templateOf', () => {
  it('returns the values of the text only, and nothing for other types', () => {
    const language = { code: 'en' };
    const [body, button] = ['body', 'button'].map((type) => ({ type, parameters: [{ type: 'text', text: 'A-17' }] }));
    const content = { name: 'order_update', language, components: [body, button] };
    expect(templateOf({ type: 'template', content })).toEqual({
      template: { name: 'order_update', language, components: [body] },
    });
    expect(templateOf({ type: 'template', content: { name: 'plain', language } })).toEqual({
      template: { name: 'plain', language, components: [] },
    });
    expect(templateOf({ type: 'template', content: null })).toEqual({});
    expect(templateOf({ type: 'text', content: { name: 'x' } })).toEqual({});
  });
});
