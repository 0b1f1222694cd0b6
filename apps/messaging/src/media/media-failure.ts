import { MEDIA_RETRY_DELAYS_SECONDS } from '@switchboard/contracts';
import { BlockedMediaUrlError, UpstreamError } from '@switchboard/upstream';

/** Maximum size of received media. Upstream accepts no larger files. */
export const MAX_MEDIA_BYTES = 100 * 1_048_576;
/** Maximum number of downloads with damaged bytes. */
const MAX_DAMAGED = 3;
/** Error codes for media that upstream no longer has or never received completely. */
const GONE_CODES = [131052];
const UNKNOWN_OBJECT = { code: 100, subcode: 33 };

/** Thrown when media exceeds the maximum size. */
export class MediaTooLargeError extends Error {
  constructor() {
    super(`the media is larger than ${MAX_MEDIA_BYTES / 1_048_576} MB`);
    this.name = 'MediaTooLargeError';
  }
}

/** Thrown when the connection is lost during a download. */
export class MediaInterruptedError extends Error {
  constructor(cause: unknown) {
    super('the connection was lost while the media was read', { cause });
    this.name = 'MediaInterruptedError';
  }
}

/** Thrown when the bytes differ from the file that the contact sent. */
export class MediaDamagedError extends Error {
  constructor() {
    super('the bytes do not have the announced SHA-256');
    this.name = 'MediaDamagedError';
  }
}

/**
 * Returns a human-readable reason why the media can never be fetched, or undefined if another attempt may succeed.
 * @param attempts number of failed attempts before this one
 */
export function finalReason(
  error: unknown,
  { attempts, isExpired }: { attempts: number; isExpired: boolean },
): string | undefined {
  if (error instanceof MediaTooLargeError || error instanceof BlockedMediaUrlError) return error.message;
  if (error instanceof MediaDamagedError && attempts + 1 >= MAX_DAMAGED) return error.message;
  if (error instanceof UpstreamError && isGone(error)) return `upstream no longer has the media: ${error.title}`;
  if (isExpired) return 'upstream no longer has the media: it keeps them for 7 days';
  return undefined;
}

function isGone({ kind, code, subcode, httpStatus }: UpstreamError): boolean {
  if (kind !== 'rejected') return httpStatus === 404;
  return GONE_CODES.includes(code ?? 0) || (code === UNKNOWN_OBJECT.code && subcode === UNKNOWN_OBJECT.subcode);
}

/** Returns the delay in seconds after a number of failed attempts. Further attempts repeat the last delay. */
export function mediaRetrySeconds(failedAttempts: number): number {
  return (
    MEDIA_RETRY_DELAYS_SECONDS[Math.min(failedAttempts, MEDIA_RETRY_DELAYS_SECONDS.length) - 1] ??
    MEDIA_RETRY_DELAYS_SECONDS[0]
  );
}

/**
 * Compares a hex SHA-256 hash with the hash from upstream, in base64 or hex. Accepts any hash if upstream gave none.
 */
export function isExpectedHash(hex: string, expected: string | null | undefined): boolean {
  if (!expected) return true;
  return expected.toLowerCase() === hex || Buffer.from(expected, 'base64').toString('hex') === hex;
}
