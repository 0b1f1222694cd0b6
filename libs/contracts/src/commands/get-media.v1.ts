import { IsInt, IsOptional, IsString } from 'class-validator';
import { command } from '../message-contract';

export class GetMediaCommand {
  @IsString() accountId: string;
  @IsString() mediaId: string;
}

export class GetMediaReply {
  @IsString() mimeType: string;
  @IsInt() bytes: number;
  /** SHA-256 of the bytes, lower-case hex. */
  @IsString() sha256: string;
  @IsOptional() @IsString() filename: string | null;
  /** Where the bytes are in the blob store. */
  @IsString() blobKey: string;
}

/** Refusals: NOT_FOUND (unknown, of another account, or lost upstream), UPSTREAM_ERROR, UPSTREAM_TIMEOUT. */
export const getMediaV1 = command({
  name: 'messaging.get-media.v1',
  owner: 'messaging',
  description: 'Where the bytes of a received media object are; fetches them from the upstream platform when that was not done yet.',
  request: GetMediaCommand,
  response: GetMediaReply,
  changes: false,
  timeoutMs: 30_000,
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
