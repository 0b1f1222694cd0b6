import type { Archive } from './archive';
import type { SheetLimits } from './sheet-limits';
import { unreadable } from './sheet-refusal';
import { TextGatherer } from './text-gatherer';
import { type Attributes, listenTo, type XmlListener } from './xml-parts';

const BLOCK_BYTES = 1_048_576;
const FIRST_PLACES = 4_096;

/** Texts by number, kept as UTF-8 outside the heap: a file may have hundreds of thousands, of which few are wanted at a time. */
export class SharedTexts {
  private readonly blocks: Buffer[] = [];
  /** Where each text begins and ends, counted over all blocks. */
  private places = new Uint32Array(2 * FIRST_PLACES);
  private count = 0;
  private end = 0;

  /** A text of more than a block is none that a cell can hold. */
  add(text: string): void {
    const bytes = Buffer.byteLength(text);
    // A text lies in one block.
    if ((this.end % BLOCK_BYTES) + bytes > BLOCK_BYTES) this.end = Math.ceil(this.end / BLOCK_BYTES) * BLOCK_BYTES;
    this.blockAt(this.end).write(text, this.end % BLOCK_BYTES);
    if (2 * this.count === this.places.length) this.places = grown(this.places);
    this.places.set([this.end, this.end + bytes], 2 * this.count);
    this.count += 1;
    this.end += bytes;
  }

  /** @returns undefined when there is none of this number */
  at(index: number): string | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= this.count) return undefined;
    const [start = 0, end = 0] = this.places.subarray(2 * index, 2 * index + 2);
    if (start === end) return '';
    const offset = start % BLOCK_BYTES;
    return this.blockAt(start).toString('utf8', offset, offset + end - start);
  }

  private blockAt(place: number): Buffer {
    const index = Math.floor(place / BLOCK_BYTES);
    return (this.blocks[index] ??= Buffer.allocUnsafeSlow(BLOCK_BYTES));
  }
}

function grown(places: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * places.length);
  larger.set(places);
  return larger;
}

/** Reads the part with the texts that cells refer to by number; a workbook without such texts has none. @throws SheetRefusal */
export async function readSharedTexts(archive: Archive, part: string | undefined, limits: SheetLimits): Promise<SharedTexts> {
  const texts = new SharedTexts();
  if (part === undefined) return texts;
  // No text takes more memory than it takes there.
  if (archive.sizeOf(part) > limits.sharedTextBytes) throw unreadable('it has too much text');
  await listenTo(archive.read(part), new SharedTextsListener(texts, limits));
  return texts;
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
