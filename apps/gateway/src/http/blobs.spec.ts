import { Readable } from 'node:stream';
import type { BlobStore } from '@switchboard/blobs';
import { storeBlob } from './blobs';

/** Returns a store that reads the first chunk and then fails. */
function storeFailing(error: Error): BlobStore {
  const put = async (_key: string, content: AsyncIterable<Uint8Array>): Promise<never> => {
    for await (const chunk of content) if (chunk.length > 0) throw error;
    throw new Error('there was no chunk');
  };
  return { put } as unknown as BlobStore;
}

/** Returns a file of which only the first chunk arrives. */
function arriving(): Readable {
  const source = new Readable({ read: () => undefined });
  source.on('error', () => undefined);
  source.push('first chunk');
  return source;
}

describe('storeBlob', () => {
  it('throws UNAVAILABLE if the store fails during the upload', async () => {
    const source = arriving();
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    await expect(storeBlob(storeFailing(full), { key: 'k', source, content: source })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      cause: full,
    });
  });

  it('throws INVALID_PARAMETER if the form is cut off', async () => {
    const source = arriving();
    const blobs = {
      put: async (_key: string, content: AsyncIterable<Uint8Array>) => {
        for await (const chunk of content)
          if (chunk.length > 0) source.destroy(new Error('Unexpected end of multipart data'));
      },
    } as unknown as BlobStore;
    await expect(storeBlob(blobs, { key: 'k', source, content: source })).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
    });
  });
});
