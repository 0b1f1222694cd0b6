import type { BlobStore } from '@switchboard/blobs';
import { AppError, type MediaType, type UploadedFile } from '@switchboard/contracts';
import { readBlob } from './blobs';
import {
  ARCHIVE,
  assertKind,
  assertSize,
  isMovingPicture,
  isText,
  kindOf,
  kindOfArchive,
  requireMediaType,
  SAMPLE_BYTES,
} from './file-kind';
import { filenameOf } from './filename';
import type { FormFile } from './form-reader';
import type { FormUpload } from './form-store';

/** File in the blob store, before the fields of its form were read. */
export interface CheckedFile extends UploadedFile {
  /** True unless the file is an animated image. */
  isStill: boolean;
}

/**
 * Checks kind and size of a customer's file while it arrives.
 * @param type type of the message that sends it; `any` to accept every kind of media; undefined if the form has not
 * named it yet, so that only the largest limit applies
 */
export function checkedFile(
  blobKey: string,
  { filename, content }: FormFile,
  type: MediaType | 'any' | undefined,
): ReturnType<FormUpload<CheckedFile, never>['check']> {
  const seen: Seen = { kind: '', isStill: false, type: type === 'any' ? undefined : type };
  return {
    content: checkedContent(content, { filename, type, seen }),
    describe: ({ bytes, sha256 }) => {
      const { kind: mimeType, isStill } = seen;
      return { blobKey, mimeType, isStill, bytes, sha256, filename: filenameOf(filename) };
    },
  };
}

/** Returns the file with its final kind, which for an archive depends on its whole content. */
export async function fileOf(blobs: BlobStore, file: CheckedFile): Promise<CheckedFile> {
  if (file.mimeType !== ARCHIVE) return file;
  return { ...file, mimeType: await kindOfArchive(await readBlob(blobs, file.blobKey)) };
}

interface Seen {
  kind: string;
  isStill: boolean;
  /** Type whose limits apply; undefined while it is unknown. */
  type: MediaType | undefined;
}

interface CheckOptions {
  filename: string | undefined;
  type: MediaType | 'any' | undefined;
  seen: Seen;
}

/** Passes a file on once its first bytes are checked. Aborts when it becomes too large or turns out not to be text. */
async function* checkedContent(
  content: AsyncIterable<Buffer>,
  { filename, type, seen }: CheckOptions,
): AsyncGenerator<Buffer> {
  const begun: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    assertSize(seen.type ?? 'document', bytes);
    if (seen.kind !== '') {
      yield assertStays(seen.kind, chunk);
      continue;
    }
    begun.push(chunk);
    if (bytes < SAMPLE_BYTES) continue;
    yield await judged(begun, { filename, type, seen });
  }
  if (bytes === 0) throw new AppError('FILE_INVALID', { message: 'the file cannot be read: it is empty' });
  if (seen.kind === '') yield await judged(begun, { filename, type, seen });
}

async function judged(begun: Buffer[], { filename, type, seen }: CheckOptions): Promise<Buffer> {
  const sample = Buffer.concat(begun);
  seen.kind = await kindOf(sample, filename);
  seen.isStill = !isMovingPicture(sample);
  if (seen.kind === ARCHIVE) return sample;
  if (type === 'any') seen.type = requireMediaType(seen.kind);
  else if (type) assertKind(type, seen.kind);
  return sample;
}

function assertStays(kind: string, chunk: Buffer): Buffer {
  if (kind === 'text/plain' && !isText(chunk))
    throw new AppError('UNSUPPORTED_MEDIA', {
      message: 'this kind of media is not supported: the file begins as text and goes on as something else',
    });
  return chunk;
}
