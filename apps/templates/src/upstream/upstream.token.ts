/** Injection token of the upstream client. */
export const UPSTREAM = Symbol('UPSTREAM');
