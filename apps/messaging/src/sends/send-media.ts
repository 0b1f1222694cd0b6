import { Injectable } from '@nestjs/common';
import {
  AppError,
  ERRORS,
  mediaFault,
  type MediaReference,
  mediaReferences,
  type UploadedFile,
} from '@switchboard/contracts';
import { type SentMessage, UpstreamError } from '@switchboard/upstream';
import type { SendableFile } from '../media-files/media-files.queries';
import { MediaFilesService } from '../media-files/media-files.service';
import type { StoredNumber } from '../numbers/upstream-numbers';
import { isMediaGone, UploadService } from './upload.service';
import { type OutgoingSend, type SendLimits, UpstreamSender } from './upstream-sender';

/** Content of a message, under the name of its type. */
export interface TypedContent {
  type: string;
  content: object;
}

/** Uploaded files of a message, with their ids at the platform. */
export interface SentFiles {
  files: readonly SendableFile[];
  platformIds: ReadonlyMap<string, string>;
}

/** Sends messages whose content refers to uploaded files by their ids (spec §3.4.8). */
@Injectable()
export class SendMedia {
  constructor(
    private readonly files: MediaFilesService,
    private readonly uploads: UploadService,
    private readonly sender: UpstreamSender,
  ) {}

  /**
   * Returns the files of a content, with restarted retention; none if it refers to none.
   * @throws AppError MEDIA_NOT_FOUND, UNSUPPORTED_MEDIA
   */
  async filesOf(accountId: string, message: TypedContent): Promise<SendableFile[]> {
    const references = referencesOf(message);
    if (references.length === 0) return [];
    const known = await this.known(accountId, references);
    const fault = faultOfReferences(references, known);
    if (fault) throw fault;
    return [...known.values()];
  }

  /** Returns the files that exist, by id. */
  known(accountId: string, references: readonly MediaReference[]): Promise<Map<string, SendableFile>> {
    const ids = [...new Set(references.map(({ id }) => id))];
    return this.files.forUse(accountId, ids);
  }

  /**
   * Uploads the files to the platform if it does not have them.
   * @param until deadline, as in `performance.now()`
   * @throws UpstreamError; nothing was sent. AppError MEDIA_NOT_FOUND for a file that was deleted in the meantime
   */
  async uploaded(number: StoredNumber, files: readonly SendableFile[], until: number): Promise<SentFiles> {
    const platformIds = new Map<string, string>();
    for (const file of files) platformIds.set(file.id, await this.platformIdOf(number, file, until));
    return { files, platformIds };
  }

  /**
   * Sends a message. If the platform rejects it because it no longer has a file, uploads the files again and sends the
   * message a second time. A call without a known outcome is not repeated.
   */
  async send(
    message: OutgoingSend,
    sent: SentFiles | undefined,
    limits: SendLimits,
  ): Promise<SentMessage | UpstreamError> {
    if (!sent || sent.files.length === 0) return this.sender.send(message, limits);
    const outcome = await this.sender.send({ ...message, platformIds: sent.platformIds }, limits);
    if (!isMediaGone(outcome)) return outcome;
    try {
      const platformIds = await this.renewed(numberOf(message), sent, limits.until);
      return await this.sender.send({ ...message, platformIds }, limits);
    } catch (error) {
      if (error instanceof UpstreamError) return outcomeOfUpload(error, outcome);
      // The bytes were deleted: the first rejection remains the outcome.
      if (error instanceof AppError) return outcome;
      throw error;
    }
  }

  /**
   * Sends a stored message again. All of it, including an upload, ends within the timeout of a send, because another
   * process may claim the message afterwards.
   * @throws UpstreamError if a file could not be uploaded, AppError if it was deleted: nothing was sent
   */
  async resend(
    message: OutgoingSend & { accountId: string; sealedContent: string | null },
    signal: AbortSignal,
  ): Promise<SentMessage | UpstreamError> {
    const until = this.sender.callUntil(Number.POSITIVE_INFINITY);
    const opened = this.sender.opened(message);
    const files = await this.filesOf(message.accountId, opened);
    const sent = await this.uploaded(numberOf(message), files, until);
    return this.send(opened, sent, { until, signal });
  }

  private async platformIdOf(number: StoredNumber, file: SendableFile, until: number): Promise<string> {
    try {
      return await this.uploads.mediaIdOf(number, toUpload(file), until);
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') throw new AppError('MEDIA_NOT_FOUND');
      throw error;
    }
  }

  private async renewed(
    number: StoredNumber,
    { files, platformIds }: SentFiles,
    until: number,
  ): Promise<Map<string, string>> {
    const renewed = new Map<string, string>();
    for (const file of files) {
      const goneId = platformIds.get(file.id) ?? '';
      renewed.set(file.id, await this.uploads.renew(number, toUpload(file), { goneId, until }));
    }
    return renewed;
  }
}

/** Returns the uses of uploaded files in a content, with their paths in the request. */
export function referencesOf({ type, content }: TypedContent): MediaReference[] {
  return mediaReferences({ [type]: content });
}

/** Returns the error for a file that the account does not have, or that cannot be sent in its place. */
export function faultOfReferences(
  references: readonly MediaReference[],
  known: ReadonlyMap<string, SendableFile>,
): AppError | undefined {
  for (const { id, type, field, isVoice } of references) {
    const file = known.get(id);
    const code = file ? 'UNSUPPORTED_MEDIA' : 'MEDIA_NOT_FOUND';
    const reason = file ? mediaFault(file.mimeType, type, isVoice) : id;
    if (reason === undefined) continue;
    const message = `${ERRORS[code].message}: ${reason}`;
    return new AppError(code, { message: `${message} (${field})`, details: [{ field, message }] });
  }
  return undefined;
}

/**
 * Returns the outcome of a send whose file could not be uploaded again. Nothing was sent, so a lost response to the
 * upload does not make the outcome unknown.
 * @param rejection the platform's rejection of the send
 */
function outcomeOfUpload(error: UpstreamError, rejection: SentMessage | UpstreamError): SentMessage | UpstreamError {
  if (error.kind !== 'rejected') return notUploaded(error);
  return error.retriable || error.stopsNumber || error.category === 'rate_limit' ? error : rejection;
}

/** Returns the error for an upload without a result, after which nothing was sent. */
export function notUploaded(cause: UpstreamError): UpstreamError {
  const title = 'The file could not be uploaded';
  return new UpstreamError(
    { kind: 'unavailable', title, retriable: true, category: 'other', answer: 'UPSTREAM_ERROR' },
    { cause },
  );
}

function numberOf({ numberId: id, phoneNumberId, sealedAccessToken }: OutgoingSend): StoredNumber {
  return { id, phoneNumberId, sealedAccessToken };
}

function toUpload({ blobKey, mimeType, bytes, sha256, fileName }: SendableFile): UploadedFile {
  return { blobKey, mimeType, bytes: Number(bytes), sha256, ...(fileName !== null && { filename: fileName }) };
}
