import { toUpstreamBody } from './upstream-sender';

const stored = { id: 'msg_1', phoneNumberId: '2', sealedAccessToken: 'v1.x', recipient: '919812345678' };

describe('toUpstreamBody', () => {
  it('sends a text with our id as the echo', () => {
    expect(toUpstreamBody({ ...stored, type: 'text', content: { body: 'Hello' } })).toEqual({
      to: '919812345678',
      type: 'text',
      text: { body: 'Hello' },
      biz_opaque_callback_data: 'msg_1',
    });
  });

  it('writes a template as upstream wants it: lower-case types, underscore in the language, no empty components', () => {
    const components = [
      { type: 'BODY', parameters: [{ type: 'text' as const, text: 'A-17' }] },
      { type: 'button', sub_type: 'URL', index: '0', parameters: [{ type: 'text' as const, text: 'track' }] },
      { type: 'header' },
    ];
    const content = { name: 'order_update', language: { code: 'en-US' }, components };
    expect(toUpstreamBody({ ...stored, type: 'template', content }).template).toEqual({
      name: 'order_update',
      language: { code: 'en_US' },
      components: [
        { type: 'body', parameters: [{ type: 'text', text: 'A-17' }] },
        { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'track' }] },
      ],
    });
  });

  it('leaves the components away for a template without variables', () => {
    const content = { name: 'hello_world', language: { code: 'en_US' } };
    expect(toUpstreamBody({ ...stored, type: 'template', content }).template).toEqual(content);
  });
});
