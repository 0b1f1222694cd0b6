export const UPSTREAM = Symbol('UPSTREAM');
/** Injection token of the client that reads received media. */
export const MEDIA_CLIENT = Symbol('MEDIA_CLIENT');
