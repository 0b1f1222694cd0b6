import { asksForMedia } from './asks-for-media';

const interactive = (header: unknown): object => ({ type: 'interactive', interactive: { type: 'button', header } });

describe('asksForMedia', () => {
  it.each([
    [{ type: 'image' }, true],
    [{ type: 'sticker' }, true],
    [interactive({ type: 'video', video: {} }), true],
    [interactive({ type: 'image', image: {} }), true],
    [interactive({ type: 'document', document: {} }), true],
    [interactive({ type: 'text', text: 'x' }), false],
    [interactive(undefined), false],
    [interactive('image'), false],
    [{ type: 'interactive', interactive: { type: 'cta_url', header: { type: 'image', image: {} } } }, true],
    [{ type: 'interactive', interactive: 'x' }, false],
    [{ type: 'text', interactive: { header: { type: 'image' } } }, false],
    [{ type: 'location' }, false],
    ...['image', 'document', 'video', 'gif'].map((type): [unknown, boolean] => [
      {
        type: 'template',
        template: {
          components: [{ type: 'header', parameters: [{ type, [type]: { link: 'https://example.com/a' } }] }],
        },
      },
      false,
    ]),
    [{ type: ['image'] }, false],
    [null, false],
    ['image', false],
  ])('maps %j to %s', (body, asks) => expect(asksForMedia(body)).toBe(asks));
});
