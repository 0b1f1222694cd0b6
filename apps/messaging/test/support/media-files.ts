import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  type AddMediaFileCommand,
  type AddMediaFileReply,
  addMediaFileV1,
  newId,
  templateSample,
} from '@switchboard/contracts';
import type { RunningMessaging } from './start-messaging';

/** Template with a picture in its header. */
export const sale = {
  ...templateSample,
  name: 'summer_sale',
  components: [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: 'The sale has started.' },
  ],
};

/** Stores random bytes and adds them as an uploaded file, as the gateway does. */
export async function addFile(
  { blobs, gateway }: RunningMessaging,
  accountId: string,
  { size = 1_000, ...more }: Partial<AddMediaFileCommand> & { size?: number } = {},
): Promise<AddMediaFileReply> {
  const bytes = randomBytes(size);
  const blobKey = `media/${accountId}/${newId('med')}`;
  await blobs.put(blobKey, Readable.from([bytes]));
  return gateway.request(addMediaFileV1, {
    accountId,
    mediaId: newId('med'),
    type: 'image',
    mimeType: 'image/jpeg',
    bytes: size,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    fileName: 'sale.jpg',
    blobKey,
    ...more,
  });
}
