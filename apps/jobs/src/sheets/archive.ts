import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { OTHER_PART_BYTES, type SheetLimits } from './sheet-limits';
import { SheetRefusal, unreadable } from './sheet-refusal';

/** Signatures of a ZIP archive with at least one part, and of Microsoft's older container format. */
const ZIP_BEGIN = Buffer.from([0x50, 0x4b]);
const CONTAINER_BEGIN = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
/** Name of the stream that contains an encrypted workbook. */
const ENCRYPTED_STREAM = Buffer.from('EncryptedPackage', 'utf16le');
const ENCRYPTED_FLAG = 1;
/** Parts up to this size may have any compression ratio. */
const SMALL_BYTES = 1_048_576;
const MACROS = /(^|\/)(vbaproject\w*\.bin|macrosheets\/.*)$/;

/** The parts of a workbook file. A part is inflated only when it is read. */
export class Archive {
  private inflated = 0;

  constructor(
    private readonly file: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
    private readonly limits: SheetLimits,
  ) {}

  has(name: string): boolean {
    return this.entries.has(keyOf(name));
  }

  /** Returns the declared unpacked size of a part. Reading enforces it. */
  sizeOf(name: string): number {
    return this.entries.get(keyOf(name))?.uncompressedSize ?? 0;
  }

  /**
   * Reads a part other than the sheet and the shared texts, whose size limit is lower.
   * @throws SheetRefusal
   */
  readOther(name: string): AsyncGenerator<Buffer> {
    if (this.sizeOf(name) > OTHER_PART_BYTES)
      throw unreadable(`${name} is larger than ${OTHER_PART_BYTES / 1_048_576} MB when unpacked`);
    return this.read(name);
  }

  /**
   * Inflates a part and counts its size towards the limit of the whole file.
   * @throws SheetRefusal
   */
  async *read(name: string): AsyncGenerator<Buffer> {
    for await (const chunk of this.readUncounted(name)) {
      this.inflated += chunk.length;
      if (this.inflated > this.limits.inflatedBytes) throw tooLarge(this.limits);
      yield chunk;
    }
  }

  /**
   * Inflates a part that is read again later, without counting its size.
   * @throws SheetRefusal
   */
  async *readUncounted(name: string): AsyncGenerator<Buffer> {
    const entry = this.entries.get(keyOf(name));
    if (!entry) throw unreadable(`${name} is missing`);
    try {
      // The library throws if the size differs from the directory.
      for await (const chunk of await this.file.openReadStreamPromise(entry)) yield chunk as Buffer;
    } catch (error) {
      throw error instanceof SheetRefusal ? error : unreadable(`${name} is damaged`);
    }
  }
}

/**
 * Opens a file as an archive and validates its directory without inflating any part.
 * @throws SheetRefusal for a file that is not an .xlsx container or looks malicious
 */
export async function openArchive(bytes: Uint8Array, limits: SheetLimits): Promise<Archive> {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  assertZip(content);
  const file = await fromBufferPromise(content, { strictFileNames: false, validateEntrySizes: true }).catch(() => {
    throw unreadable('it is cut off or damaged');
  });
  if (file.entryCount > limits.entries) throw unreadable(`it has more than ${limits.entries} parts`);
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of file.eachEntry()) entries.set(checkedKey(entry, entries, limits), entry);
  } catch (error) {
    throw error instanceof SheetRefusal ? error : refusalOfDirectory(error as Error);
  }
  const total = [...entries.values()].reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  if (total > limits.inflatedBytes) throw tooLarge(limits);
  return new Archive(file, entries, limits);
}

/** Returns true if a file starts like a ZIP archive or Microsoft's older container. */
export function isArchive(bytes: Uint8Array): boolean {
  return beginsWith(bytes, ZIP_BEGIN) || beginsWith(bytes, CONTAINER_BEGIN);
}

function beginsWith(bytes: Uint8Array, beginning: Buffer): boolean {
  return beginning.equals(bytes.subarray(0, beginning.length));
}

function assertZip(content: Buffer): void {
  if (beginsWith(content, ZIP_BEGIN)) return;
  throw unreadable(
    content.includes(ENCRYPTED_STREAM)
      ? 'it is protected by a password'
      : 'it is of the older .xls kind: save it as .xlsx',
  );
}

function checkedKey(entry: Entry, earlier: ReadonlyMap<string, Entry>, limits: SheetLimits): string {
  const key = keyOf(entry.fileName);
  if (entry.generalPurposeBitFlag & ENCRYPTED_FLAG) throw unreadable('it is encrypted');
  if (MACROS.test(key)) throw unreadable('it contains macros: save it as .xlsx');
  // If two parts have the same name, readers differ in which one they use.
  if (earlier.has(key)) throw unreadable('it has two parts with the same name');
  if (entry.uncompressedSize > SMALL_BYTES && entry.uncompressedSize > entry.compressedSize * limits.ratio) {
    throw unreadable(`one of its parts is compressed more than ${limits.ratio} to 1`);
  }
  return key;
}

function refusalOfDirectory({ message }: Error): SheetRefusal {
  if (/relative path|absolute path|invalid characters/.test(message))
    return unreadable('one of its parts has a path outside the file');
  return unreadable(message.includes('encryption') ? 'it is encrypted' : 'it is cut off or damaged');
}

function tooLarge({ inflatedBytes }: SheetLimits): SheetRefusal {
  return unreadable(`it has more than ${Math.floor(inflatedBytes / 1_048_576)} MB when unpacked`);
}

/** Part names are case-insensitive and may start at the root (ECMA-376 part 2). */
function keyOf(name: string): string {
  return name.replace(/^\/+/, '').toLowerCase();
}
