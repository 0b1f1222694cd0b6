import { readMedia } from './inbound-media';

describe('readMedia', () => {
  it.each([
    ['Media download error', 'upstream could not receive the media: Media download error'],
    [undefined, 'upstream could not receive the media: 131052'],
    [{ toString: 1 }, 'upstream could not receive the media: 131052'],
  ])('reports media that upstream could not receive, with the title %j', (title, error) => {
    const errors = [{ code: 131052, title: title as string }];
    expect(readMedia('image', { id: '1' }, errors)).toMatchObject({ upstreamId: '1', error });
  });
});
