import { randomUUID } from 'node:crypto';
import { type BuiltBody, isStream, type Upload } from './upload';

const utf8 = new TextEncoder();

type Fields = Record<string, string | Upload>;

/** A multipart/form-data body: the plain fields first, so that the server can judge them before the file has come. */
export function multipartOf(fields: Fields): BuiltBody {
  const entries = Object.entries(fields).sort(
    ([, a], [, b]) => Number(typeof a !== 'string') - Number(typeof b !== 'string'),
  );
  if (!entries.some(([, value]) => isStream(value)))
    return { headers: {}, body: () => formOf(entries), repeatableBody: true, hasFile: true };
  const boundary = `switchboard-${randomUUID()}`;
  const body = (): ReadableStream => ReadableStream.from(chunksOf(entries, boundary));
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body,
    repeatableBody: false,
    hasFile: true,
  };
}

function formOf(entries: [string, string | Upload][]): FormData {
  const form = new FormData();
  for (const [name, value] of entries) {
    if (typeof value === 'string') form.append(name, value);
    else if (value instanceof Blob) form.append(name, value, value instanceof File ? value.name : 'file');
    else if (value instanceof Uint8Array) form.append(name, new Blob([value as Uint8Array<ArrayBuffer>]), 'file');
  }
  return form;
}

async function* chunksOf(entries: [string, string | Upload][], boundary: string): AsyncGenerator<Uint8Array> {
  for (const [name, value] of entries) {
    if (typeof value === 'string')
      yield utf8.encode(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
    else yield* fileChunks(name, value, boundary);
  }
  yield utf8.encode(`--${boundary}--\r\n`);
}

async function* fileChunks(name: string, value: Upload, boundary: string): AsyncGenerator<Uint8Array> {
  const { filename = 'file', contentType = 'application/octet-stream' } = isStream(value) ? value : {};
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${quoted(filename)}"\r\nContent-Type: ${contentType.replace(/[\r\n]/g, '')}\r\n\r\n`;
  yield utf8.encode(head);
  if (isStream(value)) yield* value.content;
  else yield value instanceof Blob ? new Uint8Array(await value.arrayBuffer()) : value;
  yield utf8.encode('\r\n');
}

/** As browsers escape it. */
function quoted(filename: string): string {
  return filename.replace(/["\r\n]/g, (character) => encodeURIComponent(character));
}
