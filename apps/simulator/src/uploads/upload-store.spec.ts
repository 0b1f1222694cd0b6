import { Readable } from 'node:stream';
import { UPLOAD_LIFE_MS, UploadStore } from './upload-store';

describe('an upload session', () => {
  const store = new UploadStore();
  afterAll(() => store.close());

  it('expires after a day together with its handle', async () => {
    const { id, signature } = await store.open('image/png', 3, 1_000);
    const end = 1_000 + UPLOAD_LIFE_MS;
    const session = store.find(id, signature, end - 1)!;
    await store.append(session, Readable.from([Buffer.from('abc')]));
    expect(store.byHandle(session.handle!, end - 1)).toBe(session);
    expect(store.byHandle(session.handle!, end)).toBeUndefined();
    expect(store.find(id, signature, end)).toBeUndefined();
  });
});
