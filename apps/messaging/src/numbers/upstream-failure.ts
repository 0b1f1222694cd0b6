import { AppError } from '@switchboard/contracts';
import { UpstreamError } from '@switchboard/upstream';

/** Converts an upstream error to the error that the caller receives. Returns other errors unchanged. */
export function upstreamFailure(error: unknown): unknown {
  if (!(error instanceof UpstreamError)) return error;
  const { kind, code, title, details, category, retryAfterSeconds } = error;
  const reason = `${code === undefined ? '' : `${code} `}${details ?? title}`;
  if (kind === 'unknown-outcome')
    return new AppError('UPSTREAM_TIMEOUT', {
      message: `the upstream platform returned no usable response: ${title}`,
      cause: error,
    });
  if (category === 'rate_limit')
    return new AppError('UPSTREAM_THROTTLED', {
      message: `the upstream platform is throttling: ${reason}`,
      retryAfterSeconds,
      cause: error,
    });
  return new AppError('UPSTREAM_ERROR', { message: `the upstream platform failed: ${reason}`, cause: error });
}
