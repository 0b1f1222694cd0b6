import type { Readable } from 'node:stream';
import { Agent, type Dispatcher, request } from 'undici';
import { BlockedMediaUrlError, checkMediaUrl, publicConnector } from './media-guard';
import { callerHeaders, provenPath } from './platform-call';
import type { UpstreamErrorEnvelope } from './types';
import { rejected, unavailable, unknownOutcome } from './upstream-error';

export interface MediaClientOptions {
  /** Origin of the platform; a path is kept as a prefix. */
  baseUrl: string;
  /** For example `v24.0`. */
  apiVersion: string;
  /** Longest wait for an answer's head, and between two pieces of its body, in milliseconds. */
  timeoutMs: number;
  /** Of the app that the access tokens belong to; without it no call carries a proof. */
  appSecret?: string;
}

/** A received media object; upstream may leave out all but the address. */
export interface UpstreamMediaObject {
  /** Valid for five minutes, with the same token. */
  url: string;
  mimeType?: string;
  /** Of the bytes; base64 or hex. */
  sha256?: string;
  bytes?: number;
}

export interface ReadMediaCall {
  mediaId: string;
  /** The number that received it. */
  phoneNumberId: string;
  accessToken: string;
  signal?: AbortSignal;
}

export interface DownloadCall {
  url: string;
  accessToken: string;
  signal?: AbortSignal;
}

/** The address no longer gives the bytes: it has expired, and the object is to be read again. */
export class MediaUrlExpiredError extends Error {
  constructor(readonly httpStatus: number) {
    super(`the media address answered ${httpStatus}`);
    this.name = 'MediaUrlExpiredError';
  }
}

/**
 * Reads received media. Failures are `UpstreamError`s, besides those that are named. Their texts hold no token and no
 * address.
 */
export interface MediaClient {
  readMedia(call: ReadMediaCall): Promise<UpstreamMediaObject>;
  /**
   * The bytes, as they come; the caller reads the stream to its end or destroys it.
   * @throws MediaUrlExpiredError, BlockedMediaUrlError
   */
  download(call: DownloadCall): Promise<{ stream: Readable; mimeType?: string; bytes?: number }>;
  close(): Promise<void>;
}

const EXPIRED = [401, 403, 404, 410];
const MAX_OBJECT_BYTES = 64 * 1_024;

/** Opens a client with its own connections; nothing is connected before the first call. */
export function createMediaClient({ baseUrl, apiVersion, timeoutMs, appSecret }: MediaClientOptions): MediaClient {
  const base = new URL(baseUrl);
  const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  // The platform itself may stand anywhere; any other host must be public.
  const platform = new Agent({ ...timeouts, connect: { timeout: timeoutMs } });
  const elsewhere = new Agent({ ...timeouts, connect: publicConnector(timeoutMs) });
  const root = `${base.origin}${base.pathname.replace(/\/$/, '')}/${apiVersion}`;
  const get = (
    url: string | URL,
    { accessToken, signal }: { accessToken: string; signal?: AbortSignal },
    dispatcher: Dispatcher,
  ) =>
    // Redirects are not followed: the token would go along.
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
      // The address is signed by the platform: it takes no proof, which belongs to the API alone.
      const url = checkMediaUrl(call.url, base.origin);
      const { statusCode, headers, body } = await get(url, call, url.origin === base.origin ? platform : elsewhere);
      if (statusCode === 200)
        return {
          stream: body,
          mimeType: textOrNothing(headers['content-type']),
          bytes: sizeOf(headers['content-length']),
        };
      // What stands there is of no use; a little of it is read so that the connection may be used again, a long one is
      // cut.
      await body.dump({ limit: MAX_OBJECT_BYTES });
      if (EXPIRED.includes(statusCode)) throw new MediaUrlExpiredError(statusCode);
      throw unknownOutcome(`HTTP ${statusCode} instead of media`, { httpStatus: statusCode });
    },
    close: async () => void (await Promise.all([platform.close(), elsewhere.close()])),
  };
}

/** The beginning of a body: a media object is small, and whatever is longer is cut off, not read. */
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
    return {}; // a proxy's HTML page, or a body cut short
  }
}

function isEnvelope(body: object): body is UpstreamErrorEnvelope {
  return typeof (body as Partial<UpstreamErrorEnvelope>).error?.code === 'number';
}

const textOrNothing = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Sizes come as numbers or as text. */
function sizeOf(value: unknown): number | undefined {
  const size = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isSafeInteger(size) && size >= 0 ? size : undefined;
}
