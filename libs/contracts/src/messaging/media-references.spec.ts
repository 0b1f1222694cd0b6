import { mediaReferences, replaceMediaIds } from './media-references';

const id = 'med_01jd0000000000000000000000';
const other = 'med_01jd0000000000000000000001';

describe('mediaReferences', () => {
  it.each([
    ['an image', { image: { id, caption: 'x' } }, [['image', 'image.id']]],
    ['a voice message', { audio: { id, voice: true } }, [['audio', 'audio.id']]],
    [
      'a header',
      { interactive: { header: { type: 'video', video: { id } } } },
      [['video', 'interactive.header.video.id']],
    ],
    [
      'a template',
      { template: { components: [{ parameters: [{ type: 'gif', gif: { id } }] }] } },
      [['video', 'template.components.0.parameters.0.gif.id']],
    ],
    [
      'cards',
      {
        template: {
          components: [{ cards: [{ components: [{ parameters: [{ image: { id } }, { image: { id: other } }] }] }] }],
        },
      },
      [
        ['image', 'template.components.0.cards.0.components.0.parameters.0.image.id'],
        ['image', 'template.components.0.cards.0.components.0.parameters.1.image.id'],
      ],
    ],
    ['a link', { image: { link: 'https://example.com/a.png' } }, []],
    ['an id of another kind', { image: { id: '1037543291543634' } }, []],
    ['an id elsewhere', { interactive: { action: { buttons: [{ reply: { id } }] } } }, []],
    ['the data of a flow', { template: { action: { flow_action_data: { image: { id } } } } }, []],
    ['no content', null, []],
  ])('finds the files of %s', (_what, content, expected) =>
    expect(mediaReferences(content).map(({ type, field }) => [type, field])).toEqual(expected),
  );

  it('distinguishes voice messages from other audio', () =>
    expect([{ id, voice: true }, { id }].flatMap((audio) => mediaReferences({ audio }))).toMatchObject([
      { isVoice: true },
      { isVoice: false },
    ]));
});

describe('replaceMediaIds', () => {
  const ids = new Map([[id, '1037']]);

  it('replaces the ids of files only', () => {
    const content = {
      template: {
        components: [{ parameters: [{ image: { id } }, { image: { id: other } }] }],
        flowActionData: { image: { id } },
      },
      context: { id },
    };
    expect(replaceMediaIds(content, ids)).toEqual({
      template: {
        components: [{ parameters: [{ image: { id: '1037' } }, { image: { id: other } }] }],
        flowActionData: { image: { id } },
      },
      context: { id },
    });
  });

  it('returns the same content if there is nothing to replace', () => {
    const content = { image: { id } };
    expect(replaceMediaIds(content, new Map())).toBe(content);
  });
});
