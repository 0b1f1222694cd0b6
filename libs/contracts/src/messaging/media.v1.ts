import { IsInt, IsOptional, IsString } from 'class-validator';
import { command, task, SMALL_COMMAND_BYTES } from '../message-contract';

export class GetMediaCommand {
  @IsString() accountId: string;
  @IsString() mediaId: string;
}

export class GetMediaReply {
  @IsString() mimeType: string;
  @IsInt() bytes: number;
  /** SHA-256 of the file content, in lower-case hex. */
  @IsString() sha256: string;
  @IsOptional() @IsString() filename: string | null;
  /** Blob key of the file content. */
  @IsString() blobKey: string;
}

/**
 * Errors: NOT_FOUND (unknown, of another account, or no longer available upstream), UPSTREAM_ERROR, UPSTREAM_TIMEOUT.
 */
export const getMediaV1 = command({
  name: 'messaging.get-media.v1',
  owner: 'messaging',
  description:
    'Returns the location of a received media object in the blob store, and fetches the object from the upstream platform if necessary.',
  request: GetMediaCommand,
  response: GetMediaReply,
  changes: false,
  timeoutMs: 30_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', mediaId: 'med_01jd0000000000000000000000' },
    response: {
      mimeType: 'image/jpeg',
      bytes: 303_833,
      sha256: '49f227634806293b09954c1bc310b5f8501741d1591efcf07e97cedf35f41942',
      filename: null,
      blobKey: 'inbound/acc_01jd0000000000000000000000/med_01jd0000000000000000000000',
    },
  },
});

/** Retry delays for downloading received media, in seconds; the last delay repeats. */
export const MEDIA_RETRY_DELAYS_SECONDS = [10, 60, 600, 3600] as const;

/** Reference to a media row of the messaging service; the row is authoritative, not this message. */
export class FetchMediaV1 {
  @IsString() accountId: string;
  @IsString() mediaId: string;
}

export const fetchMediaV1 = task({
  name: 'messaging.fetch-media.v1',
  owner: 'messaging',
  description:
    'Fetches a received media object from the upstream platform into the blob store, unless it is already there.',
  body: FetchMediaV1,
  delaysSeconds: MEDIA_RETRY_DELAYS_SECONDS,
  sample: { accountId: 'acc_01jd0000000000000000000000', mediaId: 'med_01jd0000000000000000000000' },
});
