import { basename } from 'node:path';

/** Content of a file: bytes, a `Blob` (for example from `fs.openAsBlob`), or a stream, which can be sent only once. */
export type FileContent = Blob | Uint8Array | AsyncIterable<Uint8Array>;

/** File content with a name and type. */
export interface NamedUpload {
  content: FileContent;
  /** File name; defaults to the name of a `File`, the path of an `fs.createReadStream`, or `file`. */
  filename?: string;
  /** MIME type; defaults to that of a `Blob`. The service detects the actual type from the content. */
  contentType?: string;
}

/** File to upload. A call with a stream is not retried. */
export type Upload = FileContent | NamedUpload;

export interface BuiltBody {
  headers: Record<string, string>;
  /** Creates the body; called for each attempt. */
  body?: () => string | FormData | ReadableStream;
  /** True if the body can be created more than once. */
  repeatableBody: boolean;
  /** True if the body contains a file, so that the upload timeout applies. */
  hasFile?: boolean;
}

export function isUpload(value: unknown): value is Upload {
  return (
    isContent(value) || (typeof value === 'object' && value !== null && 'content' in value && isContent(value.content))
  );
}

/** Returns the file with its name and type, if known. */
export function namedUpload(upload: Upload): Required<NamedUpload> {
  const { content, filename, contentType }: NamedUpload = isContent(upload) ? { content: upload } : upload;
  return {
    content,
    filename: filename ?? nameOf(content) ?? 'file',
    contentType: contentType ?? (content instanceof Blob && content.type ? content.type : 'application/octet-stream'),
  };
}

export function isStream(content: FileContent): content is AsyncIterable<Uint8Array> {
  return !(content instanceof Blob) && !(content instanceof Uint8Array);
}

function isContent(value: unknown): value is FileContent {
  return (
    value instanceof Blob ||
    value instanceof Uint8Array ||
    (typeof value === 'object' && value !== null && Symbol.asyncIterator in value)
  );
}

/** Streams from `node:fs` expose the path that they read. */
function nameOf(content: FileContent): string | undefined {
  if (content instanceof File) return content.name;
  const path = 'path' in content ? content.path : undefined;
  return typeof path === 'string' || path instanceof Buffer ? basename(path.toString()) : undefined;
}
