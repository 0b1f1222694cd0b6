import { readAs } from './responses';
import type { UpstreamCall, UpstreamClient } from './client';
import type { Answer } from './exchange';
import { unknownOutcome, UpstreamError } from './upstream-error';

/** File to upload as the sample of a template header. */
export interface CreateUploadCall extends UpstreamCall {
  filename: string;
  bytes: number;
  mimeType: string;
}

export interface UploadOffsetCall extends UpstreamCall {
  uploadId: string;
}

export interface UploadChunkCall extends UploadOffsetCall {
  /** Position in the file of the content's first byte. */
  offset: number;
  bytes: number;
  content: AsyncIterable<Uint8Array>;
}

/** File that can be read from any position, which resuming an upload requires. */
export interface ResumableFile extends CreateUploadCall {
  open(offset: number): Promise<AsyncIterable<Uint8Array>>;
}

/** Maximum number of attempts to upload the bytes, across all sessions. */
export const UPLOAD_TRIES = 4;
/** Subcode of a session that has expired or never existed. */
const SUBCODE_UNKNOWN_OBJECT = 33;
/** Format of the platform's ids, which include a signature as a query. Nothing else may become part of the URL. */
const UPLOAD_ID = /^upload:[A-Za-z0-9_=:.~%+-]+(\?[A-Za-z0-9_=:.~%&-]*)?$/;

/** @throws UpstreamError for an id that would lead to another URL */
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
 * Uploads a file and returns its handle. An interrupted upload continues at the platform's offset. It starts over when
 * the session has expired or already has all bytes, because only the response to the last bytes contains the handle. A
 * duplicate upload is harmless.
 * @throws UpstreamError; rejections by the platform are not retried
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

/**
 * Returns whether to retry. A rejection of the file is final. After an unknown object, the offset request shows whether
 * the session is lost and must be reopened.
 */
function mayGoOn({ kind, retriable, category, subcode }: UpstreamError): boolean {
  if (kind !== 'rejected') return true;
  return category === 'auth' ? subcode === SUBCODE_UNKNOWN_OBJECT : retriable;
}

/** Rethrows errors of an unreachable platform, but not that of an expired session. */
function unlessUnreachable(error: unknown): undefined {
  if (error instanceof UpstreamError && error.kind === 'rejected' && error.subcode === SUBCODE_UNKNOWN_OBJECT) return;
  throw error;
}
