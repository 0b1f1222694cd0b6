import { crc32, deflateRawSync } from 'node:zlib';

/** Part of an archive. Omitted fields get their true values. */
export interface Part {
  name: string;
  content: string | Buffer;
  /** Uncompressed size to write into the headers instead of the true one. */
  claimedBytes?: number;
  /** Bits of the general purpose flag, such as 1 for encrypted. */
  flags?: number;
}

const LOCAL_HEADER_BYTES = 30;
const DIRECTORY_HEADER_BYTES = 46;
const END_BYTES = 22;
const DEFLATED = 8;
const VERSION = 20;
const UTF8_NAMES = 0x800;

/** Packs the given parts into an archive, which may be deliberately invalid. */
export function zipOf(parts: readonly Part[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const packed = pack(part);
    const body = Buffer.concat([header(packed, LOCAL_HEADER_BYTES, 0), packed.name, packed.deflated]);
    directory.push(Buffer.concat([header(packed, DIRECTORY_HEADER_BYTES, offset), packed.name]));
    bodies.push(body);
    offset += body.length;
  }
  const entries = Buffer.concat(directory);
  return Buffer.concat([...bodies, entries, endOf(parts.length, entries.length, offset)]);
}

interface Packed {
  name: Buffer;
  deflated: Buffer;
  checksum: number;
  bytes: number;
  flags: number;
}

function pack({ name, content, claimedBytes, flags = 0 }: Part): Packed {
  const raw = Buffer.from(content as string);
  return {
    name: Buffer.from(name),
    deflated: deflateRawSync(raw),
    checksum: crc32(raw),
    bytes: claimedBytes ?? raw.length,
    flags: flags | UTF8_NAMES,
  };
}

/**
 * Returns the local header of a part, or its central directory header, which has two versions and the part's offset.
 */
function header({ name, deflated, checksum, bytes, flags }: Packed, length: number, offset: number): Buffer {
  const isDirectory = length === DIRECTORY_HEADER_BYTES;
  const result = Buffer.alloc(length);
  let at = result.writeUInt32LE(isDirectory ? 0x02014b50 : 0x04034b50, 0);
  if (isDirectory) at = result.writeUInt16LE(VERSION, at);
  at = result.writeUInt16LE(VERSION, at);
  at = result.writeUInt16LE(flags, at);
  at = result.writeUInt16LE(DEFLATED, at) + 4;
  at = result.writeUInt32LE(checksum, at);
  at = result.writeUInt32LE(deflated.length, at);
  at = result.writeUInt32LE(bytes, at);
  result.writeUInt16LE(name.length, at);
  if (isDirectory) result.writeUInt32LE(offset, DIRECTORY_HEADER_BYTES - 4);
  return result;
}

function endOf(count: number, directoryBytes: number, offset: number): Buffer {
  const result = Buffer.alloc(END_BYTES);
  let at = result.writeUInt32LE(0x06054b50, 0) + 4;
  at = result.writeUInt16LE(count, at);
  at = result.writeUInt16LE(count, at);
  at = result.writeUInt32LE(directoryBytes, at);
  result.writeUInt32LE(offset, at);
  return result;
}
