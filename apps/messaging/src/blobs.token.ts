/** Injection token of the blob store. */
export const BLOBS = Symbol('BLOBS');
