import { readAs } from './answers';
import type { UpstreamCall, UpstreamClient } from './client';
import type { Answer } from './exchange';
import { unknownOutcome, UpstreamError } from './upstream-error';

/** A file that is about to be uploaded for the sample of a template's header. */
export interface CreateUploadCall extends UpstreamCall {
  filename: string;
  bytes: number;
  mimeType: string;
}

export interface UploadOffsetCall extends UpstreamCall {
  uploadId: string;
}

export interface UploadChunkCall extends UploadOffsetCall {
  /** Position in the file of the first byte of the content. */
  offset: number;
  /** Length of the content. */
  bytes: number;
  content: AsyncIterable<Uint8Array>;
}

/** A file that can be read again from any position, as a continued upload does. */
export interface ResumableFile extends CreateUploadCall {
  open(offset: number): Promise<AsyncIterable<Uint8Array>>;
}

/** Tries of the bytes, in one session or several. */
export const UPLOAD_TRIES = 4;
/** The session is over, or was never there. */
const SUBCODE_UNKNOWN_OBJECT = 33;
/** The platform's ids carry a signature as a query; nothing else may reach the address. */
const UPLOAD_ID = /^upload:[A-Za-z0-9_=:.~%+-]+(\?[A-Za-z0-9_=:.~%&-]*)?$/;

/** @throws UpstreamError for an id that would lead to another address */
export function assertUploadId(uploadId: string): string {
  if (UPLOAD_ID.test(uploadId)) return uploadId;
  throw unknownOutcome('An upload id of an unexpected shape');
}

export function readUploadOffset(answer: Answer): number {
  const { file_offset: offset } = readAs<{ file_offset: number | string }>(answer, (upload) =>
    /^\d+$/.test(String(upload.file_offset)),
  );
  return Number(offset);
}

/**
 * Uploads a file and gives its handle. An upload that broke off goes on at the byte that the platform names. It begins
 * anew when the session is over, or has all bytes: the handle comes only with the answer to the last of them. A file
 * that was uploaded twice harms nobody.
 * @throws UpstreamError; what the platform refuses is not tried again
 */
export async function uploadResumably(
  client: Pick<UpstreamClient, 'createUpload' | 'uploadChunk' | 'getUploadOffset'>,
  file: ResumableFile,
): Promise<string> {
  const { accessToken, signal, timeoutMs } = file;
  const call = { accessToken, signal, timeoutMs };
  let session = { uploadId: await client.createUpload(file), offset: 0 };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const content = await file.open(session.offset);
      return await client.uploadChunk({ ...call, ...session, bytes: file.bytes - session.offset, content });
    } catch (error) {
      if (!(error instanceof UpstreamError) || !mayGoOn(error) || signal?.aborted || attempt === UPLOAD_TRIES)
        throw error;
      const { uploadId } = session;
      const offset = await client.getUploadOffset({ ...call, uploadId }).catch(unlessUnreachable);
      const goesOn = offset !== undefined && offset < file.bytes;
      session = goesOn ? { uploadId, offset } : { uploadId: await client.createUpload(file), offset: 0 };
    }
  }
}

/** A refusal of the file stays one; a lost session (an unknown object) is opened anew, once the offset says so. */
function mayGoOn({ kind, retriable, category, subcode }: UpstreamError): boolean {
  if (kind !== 'rejected') return true;
  return category === 'auth' ? subcode === SUBCODE_UNKNOWN_OBJECT : retriable;
}

/** A platform that cannot be reached ends the upload; a session that it no longer knows does not. */
function unlessUnreachable(error: unknown): undefined {
  if (error instanceof UpstreamError && error.kind === 'rejected' && error.subcode === SUBCODE_UNKNOWN_OBJECT) return;
  throw error;
}
