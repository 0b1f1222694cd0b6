import type { WebhookErrorClass } from '@switchboard/contracts';

/** A failure of the customer's server, which is recorded as an outcome and never treated as an internal error. */
export class CallError extends Error {
  override readonly name = 'CallError';

  constructor(
    readonly errorClass: WebhookErrorClass,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The request was aborted because this process is stopping. Its outcome is unknown. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/** Returns the code of a socket, TLS or HTTP error, such as `ECONNREFUSED`, or undefined for any other error. */
export function codeOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;
}
