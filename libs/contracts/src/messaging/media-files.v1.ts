import { IsIn, IsInt, IsOptional, IsString, Min, MinLength } from 'class-validator';
import { BodySchema, Doc, IsTime, ListOf, OrNull } from '../body-docs';
import { PageReply, PageRequest } from '../lists';
import { command, SMALL_COMMAND_BYTES } from '../message-contract';
import { IsStorableText, MaxUnits } from '../validation';
import { MEDIA_TYPES, type MediaType } from './message-types';

/** Maximum length of a file name, in UTF-16 units. */
const FILENAME_MAX = 240;

/** Uploaded file that messages can refer to by its id (spec §3.4.8). */
@BodySchema({ name: 'MediaFile' })
export class MediaFileRecord {
  @Doc('ID of the file, for use in messages', { example: 'med_01jd0000000000000000000000' }) @IsString() id: string;
  @Doc('Message type for sending the file. A video can also be sent as a GIF', { example: 'image' })
  @IsIn(MEDIA_TYPES)
  type: MediaType;
  @Doc('MIME type detected from the content', { example: 'image/jpeg' }) @IsString() mimeType: string;
  @IsInt() bytes: number;
  @Doc('Name of the uploaded file; null if the upload had no name') @OrNull() @IsString() fileName: string | null;
  @IsTime() createdAt: string;
  @Doc('Time of the last use in a message or job, accurate to the hour; null if never used')
  @OrNull()
  @IsTime()
  lastUsedAt: string | null;
  @Doc('Earliest time at which the service deletes the file. Each use postpones this time, as does an unfinished job')
  @IsTime()
  expiresAt: string;
}

const SAMPLE: MediaFileRecord = {
  id: 'med_01jd0000000000000000000000',
  type: 'image',
  mimeType: 'image/jpeg',
  bytes: 303_833,
  fileName: 'summer-sale.jpg',
  createdAt: '2026-03-02T10:15:00.000Z',
  lastUsedAt: null,
  expiresAt: '2026-04-01T10:15:00.000Z',
};

export class AddMediaFileCommand {
  @IsString() accountId: string;
  /** Chosen by the caller: a repeated command creates no second file. */
  @IsString() mediaId: string;
  @IsIn(MEDIA_TYPES) type: MediaType;
  /** MIME type detected from the content. */
  @IsString() mimeType: string;
  @IsInt() @Min(1) bytes: number;
  /** Hex. */
  @IsString() sha256: string;
  @IsOptional() @IsString() @IsStorableText() @MinLength(1) @MaxUnits(FILENAME_MAX) fileName?: string;
  /** Key of the bytes in the blob store, which messaging deletes with the file. */
  @IsString() blobKey: string;
}

export class AddMediaFileReply extends MediaFileRecord {
  /** Key of the file's bytes; differs from the given one if an earlier command has added the file. */
  @IsString() blobKey: string;
}

export const addMediaFileV1 = command({
  name: 'messaging.add-media-file.v1',
  owner: 'messaging',
  description: 'Adds an uploaded file, whose bytes are in the blob store. MEDIA_QUOTA_EXCEEDED beyond the quota.',
  request: AddMediaFileCommand,
  response: AddMediaFileReply,
  changes: true,
  timeoutMs: 10_000,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      mediaId: SAMPLE.id,
      type: 'image',
      mimeType: 'image/jpeg',
      bytes: 303_833,
      sha256: '49f227634806293b09954c1bc310b5f8501741d1591efcf07e97cedf35f41942',
      fileName: 'summer-sale.jpg',
      blobKey: 'media/acc_01jd0000000000000000000000/med_01jd0000000000000000000001',
    },
    response: { ...SAMPLE, blobKey: 'media/acc_01jd0000000000000000000000/med_01jd0000000000000000000001' },
  },
});

export class GetMediaFileCommand {
  @IsString() accountId: string;
  @IsString() mediaId: string;
}

export const getMediaFileV1 = command({
  name: 'messaging.get-media-file.v1',
  owner: 'messaging',
  description: 'Returns an uploaded file. NOT_FOUND if the account has no such file.',
  request: GetMediaFileCommand,
  response: MediaFileRecord,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000', mediaId: SAMPLE.id }, response: SAMPLE },
});

export class DeleteMediaFileReply {
  @IsString() id: string;
}

export const deleteMediaFileV1 = command({
  name: 'messaging.delete-media-file.v1',
  owner: 'messaging',
  description:
    'Deletes an uploaded file. NOT_FOUND if the account has no such file, MEDIA_IN_USE while an unfinished job uses it.',
  request: GetMediaFileCommand,
  response: DeleteMediaFileReply,
  changes: true,
  timeoutMs: 10_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', mediaId: SAMPLE.id },
    response: { id: SAMPLE.id },
  },
});

export class ListMediaFilesCommand extends PageRequest {}

export class ListMediaFilesReply extends PageReply {
  @ListOf(() => MediaFileRecord) media: MediaFileRecord[];
}

export const listMediaFilesV1 = command({
  name: 'messaging.list-media-files.v1',
  owner: 'messaging',
  description: "Returns one page of an account's uploaded files, newest first.",
  request: ListMediaFilesCommand,
  response: ListMediaFilesReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', page: 1, limit: 20 },
    response: { media: [SAMPLE], total: 1, totalIsExact: true, hasNext: false, nextCursor: null },
  },
});
