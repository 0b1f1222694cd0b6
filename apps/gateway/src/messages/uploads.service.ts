import { Inject, Injectable } from '@nestjs/common';
import { BLOBS, type BlobStore } from '@switchboard/blobs';
import {
  AppError,
  ERRORS,
  isMediaType,
  MEDIA_TYPES,
  mediaFault,
  type MediaType,
  newId,
  parseBody,
  propertiesOf,
  SendUploadRequest,
  type UploadedFile,
} from '@switchboard/contracts';
import type { FastifyRequest } from 'fastify';
import type { Form } from '../http/form-reader';
import { FormStore } from '../http/form-store';
import { type CheckedFile, checkedFile, fileOf } from '../http/checked-file';
import { assertKind, assertSize } from '../http/file-kind';
import { fieldError } from '../http/field-error';
import { missingFile, withFile } from '../http/missing-file';
import { type LostName, lostNames } from '../http/lost-names';

/** Fields of JSON sends that would add a link to the uploaded file, and are rejected (spec §3.4.2). */
const LINK_FIELDS = ['link', ...MEDIA_TYPES];

/** Fields with objects or lists, which forms contain as JSON text, as OpenAPI specifies. */
const JSON_FIELDS = propertiesOf(SendUploadRequest)
  .filter(({ typeOf, rules }) => typeOf !== undefined || rules.some(({ name, each }) => name === 'isArray' && !each))
  .map(({ name }) => name);

const DISCARD_FAILED = 'upload.discard-failed';

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
   * @param isKept whether messaging retains the file with the message; it deletes the others after a day
   * @throws AppError for an invalid form or file; nothing is stored then
   */
  receive(request: FastifyRequest, accountId: string, isKept = false): Promise<ReceivedUpload> {
    const blobKey = `${isKept ? 'sent' : 'uploads'}/${accountId}/${newId('med')}`;
    return this.forms.receive(request, {
      blobKey,
      discardFailed: DISCARD_FAILED,
      field: 'file',
      check: (file) => checkedFile(blobKey, file, typeOf(file.fields)),
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

  private async judge({ fields, file }: Form<CheckedFile>): Promise<ReceivedUpload> {
    const twofold = LINK_FIELDS.find((name) => fields.has(name));
    if (twofold !== undefined)
      throw new AppError('INVALID_PARAMETER', { message: `give a link or a file, not both: ${twofold}` });
    const message = withFile(file, 'file', () => parseBody(SendUploadRequest, valuesOf(fields)));
    if (!file) throw missingFile('file');
    const { isStill, ...upload } = await fileOf(this.blobs, file);
    // Checked here because the form's `type` may follow the file.
    assertKind(message.type, upload.mimeType);
    assertSize(message.type, upload.bytes, isStill);
    requireVoice(message, upload);
    return { message, upload };
  }
}

function typeOf(fields: ReadonlyMap<string, string>): MediaType | undefined {
  const type = fields.get('type');
  return type !== undefined && isMediaType(type) ? type : undefined;
}

/** @throws AppError INVALID_PARAMETER for another type than audio, UNSUPPORTED_MEDIA for another kind of audio */
function requireVoice({ type, voice }: SendUploadRequest, { mimeType }: UploadedFile): void {
  if (voice === undefined) return;
  if (type !== 'audio') throw fieldError('INVALID_PARAMETER', 'voice', 'voice is for type audio only');
  const fault = mediaFault(mimeType, type, voice === 'true');
  if (fault !== undefined)
    throw fieldError('UNSUPPORTED_MEDIA', 'voice', `${ERRORS.UNSUPPORTED_MEDIA.message}: ${fault}`);
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
