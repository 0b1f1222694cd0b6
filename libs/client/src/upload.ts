/** A stream with what is known of it. It can be sent only once, so a call that carries one is not retried. */
export interface StreamUpload {
  content: AsyncIterable<Uint8Array>;
  filename?: string;
  contentType?: string;
}

/** A file to be sent along: bytes, a file opened with `fs.openAsBlob`, or a stream. */
export type Upload = Blob | Uint8Array | StreamUpload;

/** A body that can be sent, with the headers that go with it. */
export interface BuiltBody {
  headers: Record<string, string>;
  /** Makes the body anew for every attempt. */
  body?: () => string | FormData | ReadableStream;
  /** Whether the body can be made more than once. */
  repeatableBody: boolean;
  /** Whether a file is in it: it takes as long as the file does. */
  hasFile?: boolean;
}

export function isUpload(value: unknown): value is Upload {
  return value instanceof Blob || value instanceof Uint8Array || isStream(value);
}

export function isStream(value: unknown): value is StreamUpload {
  return (
    typeof value === 'object' &&
    value !== null &&
    'content' in value &&
    typeof value.content === 'object' &&
    value.content !== null &&
    Symbol.asyncIterator in value.content
  );
}
