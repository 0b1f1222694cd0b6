import type { Archive } from './archive';
import { KEPT_CHARACTERS, type SheetLimits } from './sheet-limits';
import { type SheetRefusal, unreadable } from './sheet-refusal';
import { kept, TextGatherer } from './text-gatherer';
import { type Attributes, listenTo, type XmlListener } from './xml-parts';

const BLOCK_BYTES = 1_048_576;
/** Number of text positions per block. */
const PLACES = 65_536;
/** Maximum number of texts: more than any recipient list has. Even an empty text takes time and a position. */
const TEXTS_MAX = 1_000_000;
const SHORTEST_TEXT_BYTES = '<si/>'.length;

/**
 * Texts by number, stored as UTF-8 outside the heap. A file may have hundreds of thousands of texts, of which few are
 * needed at a time. The texts are trimmed and truncated to what a column accepts.
 */
export class SharedTexts {
  private readonly blocks: Buffer[] = [];
  /** Start and end of each text over all blocks, including those of empty texts. */
  private readonly places: Uint32Array[] = [];
  private count = 0;
  private end = 0;

  /** @param bytes memory limit for all texts, without the 8 bytes per position */
  constructor(private readonly bytes: number) {}

  /** @throws SheetRefusal when the texts exceed the memory limit */
  add(text: string): void {
    const short = kept(text, KEPT_CHARACTERS);
    const bytes = Buffer.byteLength(short);
    // A text never spans two blocks.
    if ((this.end % BLOCK_BYTES) + bytes > BLOCK_BYTES) this.end = Math.ceil(this.end / BLOCK_BYTES) * BLOCK_BYTES;
    if (this.count === TEXTS_MAX || this.end + bytes > this.bytes) throw tooMuchText();
    if (bytes > 0) this.blockAt(this.end).write(short, this.end % BLOCK_BYTES);
    const places = (this.places[Math.floor(this.count / PLACES)] ??= new Uint32Array(2 * PLACES));
    const at = 2 * (this.count % PLACES);
    places[at] = this.end;
    places[at + 1] = this.end + bytes;
    this.count += 1;
    this.end += bytes;
  }

  /**
   * @param most maximum number of characters to decode
   * @returns undefined if there is no text with this number
   */
  at(index: number, most = KEPT_CHARACTERS): string | undefined {
    const [start, end] = this.placeOf(index) ?? [];
    if (start === undefined || end === undefined) return undefined;
    if (start === end) return '';
    const offset = start % BLOCK_BYTES;
    // A UTF-16 code unit takes at most three bytes.
    const bytes = Math.min(end - start, 3 * most);
    return this.blockAt(start)
      .toString('utf8', offset, offset + bytes)
      .slice(0, most);
  }

  private placeOf(index: number): Uint32Array | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= this.count) return undefined;
    const at = 2 * (index % PLACES);
    return this.places[Math.floor(index / PLACES)]?.subarray(at, at + 2);
  }

  private blockAt(place: number): Buffer {
    const index = Math.floor(place / BLOCK_BYTES);
    return (this.blocks[index] ??= Buffer.allocUnsafeSlow(BLOCK_BYTES));
  }
}

function tooMuchText(): SheetRefusal {
  return unreadable('it has too much text');
}

/**
 * Reads the part with the texts to which cells refer by number. A workbook may have no such part.
 * @throws SheetRefusal
 */
export async function readSharedTexts(
  archive: Archive,
  part: string | undefined,
  limits: SheetLimits,
): Promise<SharedTexts> {
  const texts = new SharedTexts(limits.sharedTextBytes);
  if (part === undefined) return texts;
  // Reject by the declared size, before reading.
  const bytes = archive.sizeOf(part);
  if (bytes > limits.sharedTextBytes) throw tooMuchText();
  if (bytes > TEXTS_MAX * SHORTEST_TEXT_BYTES && (await countTexts(archive.readUncounted(part))) > TEXTS_MAX)
    throw tooMuchText();
  await listenTo(archive.read(part), new SharedTextsListener(texts, limits));
  return texts;
}

const [OPEN, COLON, LETTER_S, LETTER_I] = Buffer.from('<:si');
/** Bytes that end the name of a tag. */
const NAME_END = new Uint8Array(256);
for (const byte of Buffer.from('/> \t\r\n')) NAME_END[byte] = 1;
/** States of the position within a tag's name, in addition to the number of matched letters of `si`. */
const OUTSIDE = -1;
const OTHER_NAME = 3;

/** Counts the texts in a part by scanning its bytes, which is much faster than an XML parser. */
export async function countTexts(chunks: AsyncIterable<Buffer>): Promise<number> {
  let count = 0;
  let place = OUTSIDE;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (byte === OPEN) place = 0;
      else if (place === OUTSIDE) continue;
      else if (NAME_END[byte] === 1) {
        if (place === 2) count += 1;
        place = OUTSIDE;
      } else if (byte === COLON) place = 0;
      else if (place === 0 && byte === LETTER_S) place = 1;
      else place = place === 1 && byte === LETTER_I ? 2 : OTHER_NAME;
    }
  }
  return count;
}

class SharedTextsListener implements XmlListener {
  private readonly gatherer: TextGatherer;

  constructor(
    private readonly texts: SharedTexts,
    limits: SheetLimits,
  ) {
    this.gatherer = new TextGatherer(limits.cellCharacters);
  }

  open(name: string, _attributes: Attributes): void {
    if (name === 'si') this.gatherer.reset();
    else this.gatherer.open(name);
  }

  close(name: string): void {
    if (name === 'si') this.texts.add(this.gatherer.text());
    else this.gatherer.close(name);
  }

  text(text: string): void {
    this.gatherer.add(text);
  }
}
