import { randomUUID } from 'node:crypto';
import { type BuiltBody, isStream, isUpload, namedUpload, type Upload } from './upload';

const utf8 = new TextEncoder();

type Part = [name: string, value: string | Upload];

/**
 * Returns a multipart/form-data body. Plain fields precede the file, so that the server can validate them before it
 * arrives. Values that are neither text nor a file are sent as JSON.
 */
export function multipartOf(fields: Record<string, unknown>): BuiltBody {
  const all = Object.entries(fields);
  const parts: Part[] = [
    ...all.filter(([, value]) => !isUpload(value)).map(([name, value]): Part => [name, textOf(value)]),
    ...all.filter((field): field is [string, Upload] => isUpload(field[1])),
  ];
  if (!parts.some(([, value]) => typeof value !== 'string' && isStream(namedUpload(value).content)))
    return { headers: {}, body: () => formOf(parts), repeatableBody: true, hasFile: true };
  const boundary = `switchboard-${randomUUID()}`;
  const body = (): ReadableStream => ReadableStream.from(chunksOf(parts, boundary));
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body,
    repeatableBody: false,
    hasFile: true,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function formOf(parts: Part[]): FormData {
  const form = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, ...blobOf(value));
  }
  return form;
}

/** Returns a blob of the file, which is read again for each attempt. Changing the type does not copy the content. */
function blobOf(upload: Upload): [blob: Blob, filename: string] {
  const { content, filename, contentType: type } = namedUpload(upload);
  if (content instanceof Blob)
    return [content.type === type ? content : content.slice(0, content.size, type), filename];
  return [new Blob([content as Uint8Array<ArrayBuffer>], { type }), filename];
}

async function* chunksOf(parts: Part[], boundary: string): AsyncGenerator<Uint8Array> {
  for (const [name, value] of parts) {
    if (typeof value === 'string')
      yield utf8.encode(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
    else yield* fileChunks(name, value, boundary);
  }
  yield utf8.encode(`--${boundary}--\r\n`);
}

async function* fileChunks(name: string, upload: Upload, boundary: string): AsyncGenerator<Uint8Array> {
  const { content, filename, contentType } = namedUpload(upload);
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${quoted(filename)}"\r\nContent-Type: ${contentType.replace(/[\r\n]/g, '')}\r\n\r\n`;
  yield utf8.encode(head);
  if (content instanceof Blob) yield* content.stream();
  else if (content instanceof Uint8Array) yield content;
  else yield* content;
  yield utf8.encode('\r\n');
}

/** Escapes a file name as browsers do. */
function quoted(filename: string): string {
  return filename.replace(/["\r\n]/g, (character) => encodeURIComponent(character));
}
