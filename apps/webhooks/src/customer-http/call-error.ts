/**
 * Why a request to a customer's server failed (spec §11.6.1): `status` = answered with a status that the endpoint's
 * settings do not accept;
 * `reset` = the connection was made, but closed or reset before an answer came; `body` = the answer broke off or is not
 * HTTP;
 * `blocked` = the URL guard refused it.
 */
export type ErrorClass = 'dns' | 'connect' | 'tls' | 'timeout' | 'status' | 'reset' | 'body' | 'blocked';

/** A failure on the customer's side: recorded, never treated as a failure of ours. */
export class CallError extends Error {
  override readonly name = 'CallError';

  constructor(
    readonly errorClass: ErrorClass,
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
