import type { WebhookErrorClass } from '@switchboard/contracts';

/** A failure on the customer's side: recorded, never treated as a failure of ours. */
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

/** Our process is stopping: the request was cut by us, and its outcome is not known. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/**
 * The name that Node and undici give to an error of sockets, TLS or HTTP (`ECONNREFUSED`); undefined for any other
 * error.
 */
export function codeOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;
}
