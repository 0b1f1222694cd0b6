import { Inject, Injectable } from '@nestjs/common';
import { BLOBS, type BlobStore } from '@switchboard/blobs';
import {
  AppError,
  isMediaType,
  MEDIA_TYPES,
  type MediaType,
  newId,
  parseBody,
  propertiesOf,
  SendUploadRequest,
  type UploadedFile,
} from '@switchboard/contracts';
import type { FastifyRequest } from 'fastify';
import { readBlob } from '../http/blobs';
import type { Form, FormFile } from '../http/form-reader';
import { FormStore, type FormUpload } from '../http/form-store';
import {
  ARCHIVE,
  assertKind,
  assertSize,
  isMovingPicture,
  isText,
  kindOf,
  kindOfArchive,
  SAMPLE_BYTES,
} from '../http/file-kind';
import { filenameOf } from '../http/filename';
import { missingFile, withFile } from '../http/missing-file';
import { type LostName, lostNames } from '../http/lost-names';

/** Fields of JSON sends that would add a link to the uploaded file, and are rejected (spec §3.4.2). */
const LINK_FIELDS = ['link', ...MEDIA_TYPES];

/** Fields with objects or lists, which forms contain as JSON text, as OpenAPI specifies. */
const JSON_FIELDS = propertiesOf(SendUploadRequest)
  .filter(({ typeOf, rules }) => typeOf !== undefined || rules.some(({ name, each }) => name === 'isArray' && !each))
  .map(({ name }) => name);

const DISCARD_FAILED = 'upload.discard-failed';

/** File in the blob store whose message has not been read yet. */
interface StoredFile extends UploadedFile {
  /** True unless the file is an animated image. */
  isStill: boolean;
}

export interface ReceivedUpload {
  message: SendUploadRequest;
  upload: UploadedFile;
}

/** Receives files that customers send with a message, and checks them during the upload. */
@Injectable()
export class UploadsService {
  constructor(
    private readonly forms: FormStore,
    @Inject(BLOBS) private readonly blobs: BlobStore,
  ) {}

  /**
   * Reads the form of a send and stores its file in the blob store, from which the caller must delete it.
   * @throws AppError for an invalid form or file; nothing is stored then
   */
  receive(request: FastifyRequest, accountId: string): Promise<ReceivedUpload> {
    const blobKey = `uploads/${accountId}/${newId('med')}`;
    return this.forms.receive(request, {
      blobKey,
      discardFailed: DISCARD_FAILED,
      field: 'file',
      check: (file) => checkedFile(blobKey, file),
      read: (form) => {
        request.formFields = form.fields;
        request.lostNames = lostNamesOf(form.fields);
        return this.judge(form);
      },
    });
  }

  /** Deletes a file that is not needed. If this fails, the cleanup of uploads older than a day deletes it. */
  discard(blobKey: string): Promise<void> {
    return this.forms.discard({ blobKey, discardFailed: DISCARD_FAILED });
  }

  private async judge({ fields, file }: Form<StoredFile>): Promise<ReceivedUpload> {
    const twofold = LINK_FIELDS.find((name) => fields.has(name));
    if (twofold !== undefined)
      throw new AppError('INVALID_PARAMETER', { message: `give a link or a file, not both: ${twofold}` });
    const message = withFile(file, 'file', () => parseBody(SendUploadRequest, valuesOf(fields)));
    if (!file) throw missingFile('file');
    if (file.mimeType === ARCHIVE) file.mimeType = await kindOfArchive(await readBlob(this.blobs, file.blobKey));
    // Checked here because the form's `type` may follow the file.
    assertKind(message.type, file.mimeType);
    const { isStill, ...upload } = file;
    assertSize(message.type, file.bytes, isStill);
    return { message, upload };
  }
}

function checkedFile(
  blobKey: string,
  { filename, content, fields }: FormFile,
): ReturnType<FormUpload<StoredFile, never>['check']> {
  const seen = { kind: '', isStill: false };
  const type = fields.get('type');
  return {
    content: checkedContent(content, {
      filename,
      type: type !== undefined && isMediaType(type) ? type : undefined,
      seen,
    }),
    describe: ({ bytes, sha256 }) => {
      const { kind: mimeType, isStill } = seen;
      return { blobKey, mimeType, isStill, bytes, sha256, filename: filenameOf(filename) };
    },
  };
}

function valuesOf(fields: ReadonlyMap<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Array.from(fields, ([name, text]) => [name, JSON_FIELDS.includes(name) ? valueOf(text) : text]),
  );
}

/** Parses JSON. Returns invalid JSON unchanged, since validation rejects a string in place of an object. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

interface CheckOptions {
  filename: string | undefined;
  /** Message type; undefined if the form has not given it yet, in which case only the largest limit applies. */
  type: MediaType | undefined;
  seen: { kind: string; isStill: boolean };
}

/** Passes a file on after checking its first bytes. Throws once it is too large or proves not to be text. */
async function* checkedContent(
  content: AsyncIterable<Buffer>,
  { filename, type, seen }: CheckOptions,
): AsyncGenerator<Buffer> {
  const begun: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    assertSize(type ?? 'document', bytes);
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
  if (type && seen.kind !== ARCHIVE) assertKind(type, seen.kind);
  return sample;
}

function assertStays(kind: string, chunk: Buffer): Buffer {
  if (kind === 'text/plain' && !isText(chunk))
    throw new AppError('UNSUPPORTED_MEDIA', {
      message: 'this kind of media is not supported: the file begins as text and goes on as something else',
    });
  return chunk;
}

function lostNamesOf(fields: ReadonlyMap<string, string>): LostName[] {
  return JSON_FIELDS.flatMap((name) => {
    const text = fields.get(name) ?? '';
    try {
      const lost = lostNames(text, JSON.parse(text));
      return lost.map(({ field, isRepeated }) => ({ field: `${name}.${field}`, isRepeated }));
    } catch {
      return [];
    }
  });
}
