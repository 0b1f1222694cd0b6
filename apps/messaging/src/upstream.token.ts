/** Injection token of the upstream platform's client. */
export const UPSTREAM = Symbol('UPSTREAM');
