/**
 * Resolves a handle to its listed URL. @throws GraphError 100 when the handle is invalid or for another kind of file
 */
export type SampleAddress = (handle: unknown, format: string) => string;
