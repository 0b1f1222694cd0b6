import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { invalidParameter } from '../graph-error';

/** One byte more than the largest file limit, so that larger files are detected. */
const MAX_FILE_BYTES = 100 * 1024 * 1024 + 1;
const LIMITS = { files: 1, fields: 10, fieldSize: 4_096, fileSize: MAX_FILE_BYTES };

export interface FilePart {
  mimeType: string;
  /** Content of the file. The caller must consume or resume it. */
  bytes: Readable;
}

/** Reads a multipart form. Passes its field `file` on as a stream, with the fields that precede it. */
export async function readForm<T>(
  request: IncomingMessage,
  take: (part: FilePart, earlier: ReadonlyMap<string, string>) => Promise<T>,
): Promise<{ fields: ReadonlyMap<string, string>; stored?: T }> {
  const fields = new Map<string, string>();
  const form = startParser(request);
  let taken: Promise<T> | undefined;
  let current: Readable | undefined;
  form.on('field', (name, value) => fields.set(name, value));
  form.on('file', (name, bytes, _fileName, _encoding, mimeType) => {
    if (name !== 'file' || taken) return void bytes.resume();
    current = bytes;
    taken = take({ mimeType, bytes }, fields);
    // Awaited below. Until then, a broken upload must not count as an unhandled rejection.
    taken.catch(() => undefined);
  });
  try {
    await pipeline(request, form);
  } catch (cause) {
    current?.destroy(new Error('the upload broke off'));
    await taken?.catch(() => undefined);
    throw invalidParameter(`The form could not be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  return { fields, stored: await taken };
}

function startParser(request: IncomingMessage): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
      limits: LIMITS,
    });
  } catch (cause) {
    throw invalidParameter(`The form could not be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}
