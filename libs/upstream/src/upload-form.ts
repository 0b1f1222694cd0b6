import { randomUUID } from 'node:crypto';
import type { RequestBody } from './exchange';

/** File whose bytes are read once, while they are being sent. */
export interface FileToUpload {
  mimeType: string;
  filename: string;
  bytes: number;
  content: AsyncIterable<Uint8Array>;
}

/**
 * Builds the multipart body of a media upload. Its length is known in advance, and only one chunk of the file is in
 * memory at a time.
 */
export function uploadForm({ mimeType, filename, bytes, content }: FileToUpload): RequestBody & { byteLength: number } {
  const boundary = `----${randomUUID()}`;
  const field = (name: string, value: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head = Buffer.from(
    field('messaging_product', 'whatsapp') +
      field('type', mimeType) +
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quotable(filename)}"\r\nContent-Type: ${mimeType}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    byteLength: head.length + bytes + tail.length,
    content: framed(head, content, tail),
  };
}

async function* framed(head: Buffer, content: AsyncIterable<Uint8Array>, tail: Buffer): AsyncGenerator<Uint8Array> {
  yield head;
  yield* content;
  yield tail;
}

/** Replaces all characters that could break the header. The name is never displayed, because the send has its own. */
function quotable(filename: string): string {
  return filename.replace(/[^A-Za-z0-9._ -]/g, '_').slice(0, 100) || 'file';
}
