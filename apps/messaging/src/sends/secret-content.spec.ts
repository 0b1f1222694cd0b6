import { randomBytes } from 'node:crypto';
import { SecretBox } from '@switchboard/platform';
import { MASK, maskContent, openContent, sealContent } from './secret-content';

const CODE = '482913';
const template = {
  name: 'verification_code',
  language: { code: 'en_US' },
  components: [
    { type: 'body', parameters: [{ type: 'text', parameter_name: 'code', text: CODE }] },
    { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: CODE }] },
    { type: 'button', sub_type: 'copy_code', index: '1', parameters: [{ type: 'coupon_code', coupon_code: CODE }] },
    {
      type: 'header',
      parameters: [{ type: 'document', document: { link: `https://example.com/${CODE}`, filename: CODE } }],
    },
  ],
};

describe('secret content', () => {
  it('keeps the template structure and masks its values', () => {
    const masked = maskContent({ content: template, caption: null });
    expect(JSON.stringify(masked)).not.toContain(CODE);
    expect(masked).toMatchObject({
      content: {
        name: 'verification_code',
        language: { code: 'en_US' },
        components: [{ type: 'body', parameters: [{ type: 'text', parameter_name: 'code', text: MASK }] }, {}, {}, {}],
      },
      caption: null,
    });
  });

  it.each([
    ['a text', { content: { body: CODE }, caption: null }],
    ['a file and its caption', { content: { link: `https://example.com/${CODE}` }, caption: CODE }],
  ])('is masked in %s', (_title, given) => {
    expect(JSON.stringify(maskContent(given))).not.toContain(CODE);
  });

  it('is decrypted only with the same key and message id', () => {
    const newBox = () => new SecretBox({ ENCRYPTION_KEY: randomBytes(32).toString('base64') });
    const box = newBox();
    const sealed = sealContent({ content: template, caption: 'Your code' }, box, 'msg_1');
    expect(sealed).not.toContain(CODE);
    expect(openContent(sealed, box, 'msg_1')).toEqual({ content: template, caption: 'Your code' });
    expect(() => openContent(sealed, newBox(), 'msg_1')).toThrow();
    expect(() => openContent(sealed, box, 'msg_2')).toThrow();
  });
});
