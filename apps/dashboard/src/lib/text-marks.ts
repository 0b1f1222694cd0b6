// WhatsApp's text marks. The result is data, never HTML, and every step takes time proportional to the text.

export type Emphasis = 'b' | 'i' | 's';
export type Inline =
  | string
  | { kind: Emphasis; parts: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; text: string; href: string };
export type Block =
  | { kind: 'lines'; lines: Inline[][] }
  | { kind: 'quote'; lines: Inline[][] }
  | { kind: 'bullets'; lines: Inline[][] }
  | { kind: 'numbers'; lines: Inline[][]; numbers: number[] };

/** A code span or a link: marks inside are text. */
interface Atom {
  start: number;
  end: number;
  node: Exclude<Inline, string>;
}

const EMPHASES: Readonly<Record<string, Emphasis>> = { '*': 'b', _: 'i', '~': 's' };
const MONOSPACE = '```';
const BULLET = /^[*-] (?=\S)/;
const NUMBER = /^(\d{1,2})\. (?=\S)/;
const QUOTE = /^> (?=\S)/;
/** Length of the longest prefix, with the character that follows. */
const PREFIX_CHARACTERS = 5;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const MOST_ADDRESS_CHARACTERS = 2_048;
/** Characters that reorder or hide text, so that a link could look like another one. */
const DECEPTIVE = /[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/;
const HOST = /^(?:https?:\/\/)?([^/?#\\:]*)/i;
/** Host without symbols that look like a slash or a blank. */
const PLAIN_HOST = /^[\p{L}\p{M}\p{N}._-]+$/u;
/** Top-level domains of addresses without `https://` and `www.`. Others are more often a missing space. */
const DOMAINS = new Set(['com', 'net', 'org', 'edu', 'gov', 'info', 'biz', 'app', 'dev', 'shop']);

/**
 * Parses a message text.
 * @param options.isCut whether a text that ends with an ellipsis may have lost closing marks
 */
export function parseMarks(text: string, { isCut = false } = {}): Block[] {
  const parser = new LineParser(text, atomsOf(text), isCut && text.endsWith('…'));
  const blocks: Block[] = [];
  for (const [start, end] of parser.lines()) {
    const [kind, length, number] = prefixOf(text.slice(start, Math.min(end, start + PREFIX_CHARACTERS)));
    const line = parser.parse(start + length, end);
    const last = blocks.at(-1);
    if (last?.kind === kind) last.lines.push(line);
    else blocks.push(kind === 'numbers' ? { kind, lines: [line], numbers: [] } : { kind, lines: [line] });
    const block = blocks.at(-1);
    if (block?.kind === 'numbers') block.numbers.push(number);
  }
  return blocks;
}

/** Returns the text on one line, without its marks, for previews. */
export function withoutMarks(text: string): string {
  const plain = (parts: readonly Inline[]): string =>
    parts.map((part) => (typeof part === 'string' ? part : 'parts' in part ? plain(part.parts) : part.text)).join('');
  return parseMarks(text, { isCut: true })
    .flatMap((block) =>
      block.lines.map((line, at) => (block.kind === 'numbers' ? `${block.numbers[at]}. ${plain(line)}` : plain(line))),
    )
    .join(' ')
    .trim();
}

/** Returns the kind of a line, the length of its prefix, and the number of a list item. */
function prefixOf(line: string): [kind: Block['kind'], length: number, number: number] {
  const number = NUMBER.exec(line);
  if (number) return ['numbers', number[0].length, Number(number[1])];
  const bullet = BULLET.exec(line);
  if (bullet) return ['bullets', bullet[0].length, 0];
  const quote = QUOTE.exec(line);
  return quote ? ['quote', quote[0].length, 0] : ['lines', 0, 0];
}

class LineParser {
  private readonly atoms: ReadonlyMap<number, Atom>;
  /** Whether a code span or a link covers a character. */
  private readonly isCovered: Uint8Array;
  /** Position of the next closing mark of each kind at or after a character, on the same line; -1 if there is none. */
  private readonly closers: Readonly<Record<string, Int32Array>>;
  /** Marks that the end of a cut text has closed. */
  private readonly closedByEnd = new Set<string>();

  constructor(
    private readonly text: string,
    atoms: readonly Atom[],
    isOpenEnded: boolean,
  ) {
    this.atoms = new Map(atoms.map((atom) => [atom.start, atom]));
    this.isCovered = new Uint8Array(text.length);
    for (const { start, end } of atoms) this.isCovered.fill(1, start, end);
    this.closers = Object.fromEntries(
      Object.keys(EMPHASES).map((mark) => [mark, this.closersOf(mark, isOpenEnded ? text.length : -1)]),
    );
  }

  lines(): [start: number, end: number][] {
    const lines: [number, number][] = [];
    let start = 0;
    for (let at = 0; at <= this.text.length; at += 1) {
      if (at < this.text.length && (this.text[at] !== '\n' || this.isCovered[at])) continue;
      lines.push([start, at]);
      start = at + 1;
    }
    return lines;
  }

  /**
   * Nests at most once per kind: up to its first closing mark, a range has no other one of the same kind. The end of a
   * cut text closes one mark of each kind.
   */
  parse(start: number, end: number): Inline[] {
    const parts: Inline[] = [];
    let literal = start;
    let at = start;
    const add = (node: Exclude<Inline, string>, next: number): void => {
      if (at > literal) parts.push(this.text.slice(literal, at));
      parts.push(node);
      at = next;
      literal = next;
    };
    while (at < end) {
      const atom = this.atoms.get(at);
      const mark = this.text[at] ?? '';
      const kind = EMPHASES[mark];
      const close = kind && this.opensAt(at, start, end) ? (this.closers[mark]?.[at + 2] ?? -1) : -1;
      if (atom && atom.end <= end) add(atom.node, atom.end);
      else if (kind && close >= 0 && close < end) add({ kind, parts: this.parse(at + 1, close) }, close + 1);
      else if (kind && close === this.text.length && end === close && !this.closedByEnd.has(mark)) {
        this.closedByEnd.add(mark);
        add({ kind, parts: this.parse(at + 1, close) }, close);
      } else at += 1;
    }
    if (end > literal) parts.push(this.text.slice(literal, end));
    return parts;
  }

  private opensAt(at: number, start: number, end: number): boolean {
    if (at + 1 >= end || /\s/.test(this.text[at + 1] ?? '')) return false;
    return at === start || !isLetterOrDigit(before(this.text, at));
  }

  /** @param atEnd position to assume at the end of the text */
  private closersOf(mark: string, atEnd: number): Int32Array {
    const { text } = this;
    const next = new Int32Array(text.length + 1).fill(-1);
    next[text.length] = atEnd;
    for (let at = text.length - 1; at >= 0; at -= 1) {
      if (text[at] === '\n' && !this.isCovered[at]) continue;
      const isCloser =
        text[at] === mark &&
        !this.isCovered[at] &&
        at > 0 &&
        !/\s/.test(text[at - 1] ?? '') &&
        !isLetterOrDigit(after(text, at));
      next[at] = isCloser ? at : (next[at + 1] ?? -1);
    }
    return next;
  }
}

function atomsOf(text: string): Atom[] {
  const monospace = monospaceOf(text);
  const code = between(text, monospace, (part, offset) => codeOf(text, part, offset));
  const both = [...monospace, ...code].sort((one, other) => one.start - other.start);
  return [...both, ...between(text, both, linksOf)];
}

/** Reads the parts of the text outside of atoms. */
function between(text: string, atoms: readonly Atom[], read: (part: string, offset: number) => Atom[]): Atom[] {
  const starts = [0, ...atoms.map(({ end }) => end)];
  return starts.flatMap((start, index) => read(text.slice(start, atoms[index]?.start ?? text.length), start));
}

function monospaceOf(text: string): Atom[] {
  const atoms: Atom[] = [];
  let start = text.indexOf(MONOSPACE);
  while (start >= 0) {
    const end = text.indexOf(MONOSPACE, start + MONOSPACE.length + 1);
    if (end < 0) break;
    const inner = text.slice(start + MONOSPACE.length, end);
    const isMarked = inner.trim() !== '' && !isLetterOrDigit(before(text, start));
    const next = end + MONOSPACE.length;
    if (isMarked) atoms.push({ start, end: next, node: { kind: 'code', text: inner } });
    start = text.indexOf(MONOSPACE, isMarked ? next : start + MONOSPACE.length);
  }
  return atoms;
}

function codeOf(text: string, part: string, offset: number): Atom[] {
  return [...part.matchAll(/`([^`\n]+)`/g)].flatMap(({ 0: whole, 1: inner = '', index }) => {
    const start = offset + index;
    const end = start + whole.length;
    const isMarked =
      inner.trim() !== '' && !isLetterOrDigit(before(text, start)) && !isLetterOrDigit(after(text, end - 1));
    return isMarked ? [{ start, end, node: { kind: 'code', text: inner } }] : [];
  });
}

function linksOf(part: string, offset: number): Atom[] {
  return [...part.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
    const found = linkIn(word);
    if (!found) return [];
    const start = offset + index + found.at;
    return [{ start, end: start + found.text.length, node: { kind: 'link', text: found.text, href: found.href } }];
  });
}

/** Finds an address in a word: only HTTP(S), without credentials, which could hide the actual host. */
function linkIn(word: string): { at: number; text: string; href: string } | undefined {
  if (word.length > MOST_ADDRESS_CHARACTERS || !word.includes('.') || DECEPTIVE.test(word)) return undefined;
  const scheme = /https?:\/\//i.exec(word);
  const at = scheme ? scheme.index : (/^[([{<"'*_~]*/.exec(word)?.[0].length ?? 0);
  if (isLetterOrDigit(before(word, at))) return undefined;
  const text = withoutEnd(/^[^<>"]*/.exec(word.slice(at))?.[0] ?? '');
  if (!scheme && !isDomain(text)) return undefined;
  const url = parsedUrl(scheme ? text : `https://${text}`);
  const isPlain = PLAIN_HOST.test(HOST.exec(text)?.[1] ?? '');
  return url && isPlain ? { at, text, href: url.href } : undefined;
}

const END = /[.,;:!?'"*_~`\]}…»”’]/;

/** Removes punctuation and marks from the end. A closing bracket stays if the address has an opening one. */
function withoutEnd(address: string): string {
  const hasBracket = address.includes('(');
  let end = address.length;
  while (end > 0 && (END.test(address[end - 1] ?? '') || (address[end - 1] === ')' && !hasBracket))) end -= 1;
  return address.slice(0, end);
}

function isDomain(address: string): boolean {
  const [host = ''] = address.split(/[/?#]/, 1);
  const labels = host.toLowerCase().split('.');
  const last = labels.at(-1) ?? '';
  if (labels.length < 2 || !labels.every((label) => /^[a-z0-9-]{1,63}$/.test(label))) return false;
  return DOMAINS.has(last) || (labels[0] === 'www' && labels.length > 2 && /^[a-z]{2,}$/.test(last));
}

function parsedUrl(address: string): URL | undefined {
  try {
    const url = new URL(address);
    const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
    return isWeb && url.username === '' && url.password === '' && url.hostname.includes('.') ? url : undefined;
  } catch {
    return undefined;
  }
}

const isLetterOrDigit = (character: string): boolean => LETTER_OR_DIGIT.test(character);

/** Returns the character before a position, as a whole code point. */
function before(text: string, at: number): string {
  const isPair = at > 1 && /[\uDC00-\uDFFF]/.test(text[at - 1] ?? '');
  return text.slice(Math.max(0, at - (isPair ? 2 : 1)), at);
}

/** Returns the character after a position, as a whole code point. */
function after(text: string, at: number): string {
  const point = text.codePointAt(at + 1);
  return point === undefined ? '' : String.fromCodePoint(point);
}
