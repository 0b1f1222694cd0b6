import { Inject, Injectable } from '@nestjs/common';
import { BLOBS, type BlobStore } from '@switchboard/blobs';
import { SecretBox } from '@switchboard/platform';
import { type MediaClient, MediaUrlExpiredError, type UpstreamMediaObject } from '@switchboard/upstream';
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { tokenPlace } from '../numbers/number-token';
import {
  isExpectedHash,
  MAX_MEDIA_BYTES,
  MediaDamagedError,
  MediaInterruptedError,
  MediaTooLargeError,
} from './media-failure';
import type { MediaRow } from './media.queries';
import { MEDIA_CLIENT } from '../upstream/upstream.tokens';

/** Deadline of a download, from the first request until the last byte is in the blob store. */
const DOWNLOAD_DEADLINE_MS = 300_000;

export interface FetchedMedia {
  bytes: number;
  /** Base64, like upstream's hashes. */
  sha256: string;
  /** Null if upstream gave no type. */
  mimeType: string | null;
}

interface Incoming {
  stream: Readable;
  /** SHA-256 hashes from upstream; undefined or null where it gave none. */
  expected: (string | null | undefined)[];
  contentType: string;
}

/** Downloads media from the upstream platform into the blob store. The caller updates the row. */
@Injectable()
export class MediaFetcher {
  constructor(
    @Inject(MEDIA_CLIENT) private readonly upstream: MediaClient,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    private readonly box: SecretBox,
  ) {}

  /**
   * Streams the media to its blob key. Stores nothing on failure. Concurrent fetches of the same media store the same
   * bytes.
   * @throws UpstreamError, MediaUrlExpiredError, BlockedMediaUrlError, MediaTooLargeError, MediaInterruptedError,
   * MediaDamagedError
   */
  async fetchIntoStore(media: MediaRow): Promise<FetchedMedia> {
    const accessToken = this.box.open(media.sealedAccessToken, tokenPlace(media.numberId));
    const signal = AbortSignal.timeout(DOWNLOAD_DEADLINE_MS);
    const { object, stream } = await this.open(media, accessToken, signal);
    const expected = [media.sha256, object.sha256];
    const stored = await this.store(media, { stream, expected, contentType: object.mimeType ?? media.mimeType });
    return {
      bytes: stored.bytes,
      sha256: Buffer.from(stored.sha256, 'hex').toString('base64'),
      mimeType: object.mimeType ?? null,
    };
  }

  /** Deletes the bytes of removed media. */
  async discard({ blobKey }: Pick<MediaRow, 'blobKey'>): Promise<void> {
    await this.blobs.delete(blobKey);
  }

  /** Stores the bytes. An error of the download takes precedence over the blob store error that it causes. */
  private async store(
    { blobKey }: MediaRow,
    { stream, expected, contentType }: Incoming,
  ): Promise<{ bytes: number; sha256: string }> {
    const reading: { failure?: Error } = {};
    try {
      return await this.blobs.put(blobKey, checked(stream, expected, reading), { contentType });
    } catch (error) {
      throw reading.failure ?? error;
    }
  }

  /** Opens the download. The URL expires after five minutes. An expired URL is renewed once. */
  private async open(
    media: MediaRow,
    accessToken: string,
    signal: AbortSignal,
  ): Promise<{ object: UpstreamMediaObject; stream: Readable }> {
    const read = () =>
      this.upstream.readMedia({
        mediaId: media.upstreamMediaId,
        phoneNumberId: media.phoneNumberId,
        accessToken,
        signal,
      });
    const object = await read();
    if ((object.bytes ?? 0) > MAX_MEDIA_BYTES) throw new MediaTooLargeError();
    try {
      return { object, ...(await this.upstream.download({ url: object.url, accessToken, signal })) };
    } catch (error) {
      if (!(error instanceof MediaUrlExpiredError)) throw error;
      const renewed = await read();
      return { object: renewed, ...(await this.upstream.download({ url: renewed.url, accessToken, signal })) };
    }
  }
}

/**
 * Passes the bytes through. Throws before the end of the stream if they are damaged or too large; the blob store then
 * writes nothing, and an object stored by another replica stays.
 */
async function* checked(
  stream: Readable,
  expected: Incoming['expected'],
  reading: { failure?: Error },
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_MEDIA_BYTES) throw new MediaTooLargeError();
      hash.update(chunk);
      yield chunk;
    }
    const sha256 = hash.digest('hex');
    if (!expected.every((each) => isExpectedHash(sha256, each))) throw new MediaDamagedError();
  } catch (error) {
    reading.failure =
      error instanceof MediaTooLargeError || error instanceof MediaDamagedError
        ? error
        : new MediaInterruptedError(error);
    throw error;
  }
}
