/** Gives the address that a handle is listed as. @throws GraphError 100 when it is none, or of another kind */
export type SampleAddress = (handle: unknown, format: string) => string;
