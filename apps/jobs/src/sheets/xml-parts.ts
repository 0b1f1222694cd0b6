import { SaxesParser } from 'saxes';
import { SheetRefusal, unreadable } from './sheet-refusal';

/** Attributes of a tag by name, without prefixes. */
export type Attributes = Readonly<Record<string, string>>;

/** Handler of a part's XML events. Names have no prefix, because programs may choose any prefix. */
export interface XmlListener {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  text(text: string): void;
}

/**
 * Maximum length of a tag or of the text between two tags: more than a cell's longest text in its longest escaped form.
 */
const LONGEST_PIECE = 1_048_576;
/** Maximum nesting depth: more than any program uses. The parser keeps every open element in memory. */
const DEEPEST = 256;

/**
 * Parses a part chunk by chunk. Yields after each chunk, so that the caller can process what the listener has
 * collected.
 * @throws SheetRefusal for XML that is not well-formed, has a document type (the source of entities) or is not UTF-8
 */
export async function* parseXml(chunks: AsyncIterable<Buffer>, listener: XmlListener): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let heardAt = 0;
  let depth = 0;
  const heard = (): void => void (heardAt = parser.position);
  parser.on('doctype', refuseDoctype);
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    heard();
    depth += 1;
    if (depth > DEEPEST) throw unreadable('its elements are nested too deeply');
    listener.open(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    heard();
    depth -= 1;
    listener.close(localName(name));
  });
  parser.on('text', (text) => listener.text(text));
  parser.on('cdata', (text) => listener.text(text));
  for await (const chunk of chunks) {
    feed(parser, () => decoder.decode(chunk, { stream: true }));
    // The parser buffers each text until its end, so an endless text would fill the memory.
    if (parser.position - heardAt > LONGEST_PIECE) throw unreadable('one of its cells is too long');
    yield;
  }
  feed(parser, () => decoder.decode());
  endOf(parser);
  yield;
}

/** Parses a small part completely. */
export async function listenTo(chunks: AsyncIterable<Buffer>, listener: XmlListener): Promise<void> {
  const parsing = parseXml(chunks, listener);
  while (!(await parsing.next()).done);
}

function feed(parser: SaxesParser, decode: () => string): void {
  try {
    parser.write(decode());
  } catch (error) {
    throw asRefusal(error);
  }
}

function endOf(parser: SaxesParser): void {
  try {
    parser.close();
  } catch (error) {
    throw asRefusal(error);
  }
}

function asRefusal(error: unknown): SheetRefusal {
  return error instanceof SheetRefusal ? error : unreadable('one of its parts is not well-formed XML');
}

function refuseDoctype(): never {
  throw unreadable('it has a document type declaration');
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}
