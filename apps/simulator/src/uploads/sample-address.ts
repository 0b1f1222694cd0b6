/** Resolves a handle to its listed URL. @throws GraphError 100 when it is invalid, or of another kind */
export type SampleAddress = (handle: unknown, format: string) => string;
