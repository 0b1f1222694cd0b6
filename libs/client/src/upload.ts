import { basename } from 'node:path';

/** What a file is made of: bytes, a `Blob` such as `fs.openAsBlob` gives, or a stream, which can be sent only once. */
export type FileContent = Blob | Uint8Array | AsyncIterable<Uint8Array>;

/** A file with what its content does not tell. */
export interface NamedUpload {
  content: FileContent;
  /** Absent: the name of a `File`, or of what `fs.createReadStream` reads; `file` for what has no name. */
  filename?: string;
  /** Absent: the type of a `Blob`. The service judges a file by its content. */
  contentType?: string;
}

/** A file to be sent along. A call that carries a stream is not retried. */
export type Upload = FileContent | NamedUpload;

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
  return (
    isContent(value) || (typeof value === 'object' && value !== null && 'content' in value && isContent(value.content))
  );
}

/** The file with its name and type, as far as anything tells them. */
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

/** A stream of `node:fs` knows the path that it reads. */
function nameOf(content: FileContent): string | undefined {
  if (content instanceof File) return content.name;
  const path = 'path' in content ? content.path : undefined;
  return typeof path === 'string' || path instanceof Buffer ? basename(path.toString()) : undefined;
}
