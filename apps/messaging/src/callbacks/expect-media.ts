import { fetchMediaV1 } from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';
import { FILES, INSERT_MEDIA } from '../media/media.queries';
import type { InboundMedia } from './inbound-media';

/** A message with its media file on the platform, if any. */
interface WithFile {
  id: string;
  media: InboundMedia | null;
}

/** Inserts the media rows of new messages, and enqueues a task to fetch each file after the commit. */
export async function expectMedia(
  tx: Transaction,
  { accountId, id: numberId }: { accountId: string; id: string },
  messages: readonly WithFile[],
): Promise<void> {
  const files = messages.flatMap(({ id, media }) => (media ? [{ ...media, messageId: id }] : []));
  if (files.length === 0) return;
  const lists = FILES.parameters(files, {
    upstreamMediaId: ({ upstreamId }) => upstreamId,
    blobKey: ({ id }) => `inbound/${accountId}/${id}`,
  });
  await tx.query(INSERT_MEDIA, [accountId, numberId, ...lists]);
  for (const { id, error } of files) if (error === null) tx.enqueue(fetchMediaV1, { accountId, mediaId: id });
}
