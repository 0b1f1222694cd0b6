import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { fitsKind, ruleOf } from './media-rules';
import { MediaStore, type StoredMedia } from './media-store';

const DAY_MS = 24 * 60 * 60 * 1_000;
const NOW_MS = Date.UTC(2026, 0, 1);

let store: MediaStore;
beforeEach(() => {
  store = new MediaStore(1_000);
});
afterEach(() => store.close());

const add = (content: string, origin: 'uploaded' | 'inbound' = 'uploaded'): Promise<StoredMedia> =>
  store.add(Readable.from([Buffer.from(content)]), {
    phoneNumberId: '1',
    mimeType: 'image/png',
    origin,
    nowMs: NOW_MS,
  });

async function contentOf(media: StoredMedia): Promise<string> {
  return Buffer.concat(await store.read(media).toArray()).toString();
}

describe('MediaStore', () => {
  it('stores the bytes, their length and their hash', async () => {
    const media = await add('hello');
    expect(media).toMatchObject({ byteLength: 5, sha256: createHash('sha256').update('hello').digest() });
    expect(await contentOf(store.find(media.id, NOW_MS)!)).toBe('hello');
  });

  it('expires uploaded ids after 30 days and inbound ids after 7', async () => {
    const [uploaded, inbound] = [await add('a'), await add('b', 'inbound')];
    expect(store.find(uploaded.id, NOW_MS + 30 * DAY_MS - 1)).toBeDefined();
    expect(store.find(uploaded.id, NOW_MS + 30 * DAY_MS)).toBeUndefined();
    expect(store.find(inbound.id, NOW_MS + 7 * DAY_MS)).toBeUndefined();
  });

  it('issues unforgeable URLs that are valid for five minutes', async () => {
    const media = await add('a');
    const address = Object.fromEntries(new URLSearchParams(store.addressQuery(media.id, NOW_MS)));
    expect(store.findByAddress(address, NOW_MS + 299_000)?.id).toBe(media.id);
    expect(store.findByAddress(address, NOW_MS + 300_000)).toBeUndefined();
    expect(store.findByAddress({ ...address, ext: '9999999999' }, NOW_MS)).toBeUndefined();
    expect(store.findByAddress({}, NOW_MS)).toBeUndefined();
  });

  it('evicts the oldest files when the total exceeds the limit', async () => {
    const [first, second, third] = [await add('x'.repeat(600)), await add('y'.repeat(300)), await add('z'.repeat(300))];
    expect([first, second, third].map(({ id }) => store.find(id, NOW_MS) !== undefined)).toEqual([false, true, true]);
  });

  it('leaves no file behind when the stream breaks', async () => {
    const broken = Readable.from(
      (function* () {
        yield Buffer.from('half');
        throw new Error('broke off');
      })(),
    );
    await expect(
      store.add(broken, { phoneNumberId: '1', mimeType: 'image/png', origin: 'uploaded', nowMs: NOW_MS }),
    ).rejects.toThrow('broke off');
    const next = await add('next');
    expect(await store.delete(String(Number(next.id) - 1))).toBe(false);
  });
});

describe('media rules', () => {
  it.each([
    ['image/png', 'image', true],
    ['image/webp', 'image', false],
    ['image/webp', 'sticker', true],
    ['image/gif', 'document', false],
    ['image/png', 'document', true],
    ['audio/ogg; codecs=opus', 'audio', true],
    ['application/octet-stream', 'document', false],
    ['VIDEO/MP4', 'video', true],
  ])('accept %s as %s: %s', (mimeType, kind, fits) => expect(fitsKind(mimeType, kind)).toBe(fits));

  it('limit the file size of each kind', () => {
    const limits = ['audio/aac', 'text/plain', 'image/jpeg', 'image/webp', 'video/3gpp'].map(
      (type) => (ruleOf(type)?.maxBytes ?? 0) / 1_024,
    );
    expect(limits).toEqual([16_384, 102_400, 5_120, 500, 16_384]);
  });
});
