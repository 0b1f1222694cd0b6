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

/** From the first byte to the last one, and durable in the blob store. */
const DOWNLOAD_DEADLINE_MS = 300_000;

export interface FetchedMedia {
  bytes: number;
  /** In base64, as upstream writes hashes. */
  sha256: string;
  /** Null when upstream named none. */
  mimeType: string | null;
}

/** Bytes as upstream gives them. */
interface Incoming {
  stream: Readable;
  /** What upstream says of their SHA-256, wherever it does. */
  expected: (string | null | undefined)[];
  contentType: string;
}

/** Brings bytes from the upstream platform into the blob store; what becomes of the row is its caller's matter. */
@Injectable()
export class MediaFetcher {
  constructor(
    @Inject(MEDIA_CLIENT) private readonly upstream: MediaClient,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    private readonly box: SecretBox,
  ) {}

  /**
   * Streams the media under its key; nothing is there when it fails. The same media twice side by side ends in the same
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

  /** Takes away bytes that nobody will ask for: their row was removed while they came. */
  async discard({ blobKey }: Pick<MediaRow, 'blobKey'>): Promise<void> {
    await this.blobs.delete(blobKey);
  }

  /** Tells apart whose failure it was: what went wrong while reading is upstream's, the rest is the blob store's. */
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

  /** The address lives five minutes: one that no longer works is read again, once. */
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
 * Damaged bytes end in an error before the store has taken them: nothing is under the key then, and what another
 * replica has put there meanwhile stays.
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
