import type { Readable } from 'node:stream';
import { Agent, type Dispatcher, request } from 'undici';
import { BlockedMediaUrlError, checkMediaUrl, publicConnector } from './media-guard';
import { callerHeaders, provenPath } from './platform-call';
import type { UpstreamErrorEnvelope } from './types';
import { rejected, unavailable, unknownOutcome } from './upstream-error';

export interface MediaClientOptions {
  /** Origin of the platform. A path is kept as a prefix. */
  baseUrl: string;
  /** API version, for example `v24.0`. */
  apiVersion: string;
  /** Maximum wait for the response headers, and between two chunks of the body, in milliseconds. */
  timeoutMs: number;
  /** Secret of the app that owns the access tokens. If absent, no call has a proof. */
  appSecret?: string;
}

/** Received media object. The platform may omit everything but the URL. */
export interface UpstreamMediaObject {
  /** Download URL, valid for five minutes with the same token. */
  url: string;
  mimeType?: string;
  /** Hash of the bytes, in base64 or hex. */
  sha256?: string;
  bytes?: number;
}

export interface ReadMediaCall {
  mediaId: string;
  /** Id of the number that received the file. */
  phoneNumberId: string;
  accessToken: string;
  signal?: AbortSignal;
}

export interface DownloadCall {
  url: string;
  accessToken: string;
  signal?: AbortSignal;
}

/** The download URL has expired, and the object must be read again. */
export class MediaUrlExpiredError extends Error {
  constructor(readonly httpStatus: number) {
    super(`the media address answered ${httpStatus}`);
    this.name = 'MediaUrlExpiredError';
  }
}

/**
 * Reads received media. Fails with `UpstreamError`s and the errors listed below. Their texts contain neither token nor
 * URL.
 */
export interface MediaClient {
  readMedia(call: ReadMediaCall): Promise<UpstreamMediaObject>;
  /**
   * Returns the bytes as a stream, which the caller must read to its end or destroy.
   * @throws MediaUrlExpiredError, BlockedMediaUrlError
   */
  download(call: DownloadCall): Promise<{ stream: Readable; mimeType?: string; bytes?: number }>;
  close(): Promise<void>;
}

const EXPIRED = [401, 403, 404, 410];
const MAX_OBJECT_BYTES = 64 * 1_024;

/** Creates a client with its own connections. It connects with the first call. */
export function createMediaClient({ baseUrl, apiVersion, timeoutMs, appSecret }: MediaClientOptions): MediaClient {
  const base = new URL(baseUrl);
  const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  // The platform itself may have any address. Any other host must be public.
  const platform = new Agent({ ...timeouts, connect: { timeout: timeoutMs } });
  const elsewhere = new Agent({ ...timeouts, connect: publicConnector(timeoutMs) });
  const root = `${base.origin}${base.pathname.replace(/\/$/, '')}/${apiVersion}`;
  const get = (
    url: string | URL,
    { accessToken, signal }: { accessToken: string; signal?: AbortSignal },
    dispatcher: Dispatcher,
  ) =>
    // Do not follow redirects, because the request would send the token to their target.
    request(url, { dispatcher, signal, headers: callerHeaders(accessToken) }).catch((error: unknown) => {
      throw error instanceof BlockedMediaUrlError ? error : unavailable(error);
    });
  return {
    async readMedia(call) {
      const query = new URLSearchParams({ phone_number_id: call.phoneNumberId });
      const url = provenPath(`${root}/${encodeURIComponent(call.mediaId)}?${query}`, call.accessToken, appSecret);
      const { statusCode, body } = await get(url, call, platform);
      return readObject(statusCode, await textOf(body));
    },
    async download(call) {
      // The platform signed this URL. It needs no proof, which is only for the API.
      const url = checkMediaUrl(call.url, base.origin);
      const { statusCode, headers, body } = await get(url, call, url.origin === base.origin ? platform : elsewhere);
      if (statusCode === 200)
        return {
          stream: body,
          mimeType: textOrNothing(headers['content-type']),
          bytes: sizeOf(headers['content-length']),
        };
      // Drain a short body, so that the connection can be reused, and cut off a long one.
      await body.dump({ limit: MAX_OBJECT_BYTES });
      if (EXPIRED.includes(statusCode)) throw new MediaUrlExpiredError(statusCode);
      throw unknownOutcome(`HTTP ${statusCode} instead of media`, { httpStatus: statusCode });
    },
    close: async () => void (await Promise.all([platform.close(), elsewhere.close()])),
  };
}

/** Returns the first part of a body. A media object is small, so anything longer is cut off. */
async function textOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_OBJECT_BYTES) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw unavailable(error);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readObject(httpStatus: number, text: string): UpstreamMediaObject {
  const body = parseObject(text);
  if (isEnvelope(body)) throw rejected(body, { httpStatus });
  const { url, mime_type: mimeType, sha256, file_size: size } = body;
  if (httpStatus !== 200 || typeof url !== 'string')
    throw unknownOutcome(`HTTP ${httpStatus} without a media object`, { httpStatus });
  return { url, mimeType: textOrNothing(mimeType), sha256: textOrNothing(sha256), bytes: sizeOf(size) };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {}; // A proxy's HTML page, or a truncated body.
  }
}

function isEnvelope(body: object): body is UpstreamErrorEnvelope {
  return typeof (body as Partial<UpstreamErrorEnvelope>).error?.code === 'number';
}

const textOrNothing = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Parses a size, which may be a number or a string. */
function sizeOf(value: unknown): number | undefined {
  const size = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isSafeInteger(size) && size >= 0 ? size : undefined;
}
