import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError, MEDIA_TYPES, type MediaType, mediaLimitOf, mediaTypeOf } from '@switchboard/contracts';
import { fileTypeFromBuffer, fileTypeFromTokenizer } from 'file-type';
import { fromStream } from 'strtok3';

/**
 * Size of the sample that determines the type, in bytes. Covers the tags at the start of most music files and the first
 * entries of an archive.
 */
export const SAMPLE_BYTES = 65_536;
const KIB = 1_024;
const MIB = 1_048_576;

/** Upstream names of types that the detector names differently. */
const SAME_KIND: Record<string, string> = {
  'audio/x-m4a': 'audio/mp4',
  'video/x-m4v': 'video/mp4',
  'image/apng': 'image/png',
  'audio/ogg; codecs=opus': 'audio/ogg',
  // The platform accepts only Opus in Ogg.
  'audio/ogg': 'audio/ogg; codecs=other',
};
/** Container format shared by Word, Excel and PowerPoint before 2007. Only the file name distinguishes them cheaply. */
const OLD_OFFICE = 'application/x-cfb';
const OLD_OFFICE_KINDS: Record<string, string> = {
  '.doc': 'application/msword',
  '.xls': 'application/vnd.ms-excel',
  '.ppt': 'application/vnd.ms-powerpoint',
};
export const ARCHIVE = 'application/zip';
const TEXT = 'text/plain';
const UTF16_TEXT = 'text/plain; charset=utf-16';
const PDF = 'application/pdf';
const UNKNOWN = 'application/octet-stream';
/** End of a PDF header, which may follow other bytes within the first kilobyte. */
const PDF_HEADER = /%PDF-[12]\.[0-9]\s*[\r\n]/;
const PDF_HEADER_BYTES = 1_024;
/** Start of markup: a tag, a comment, a document type or a processing instruction. */
const MARKUP_BEGIN = /^\s*<(?:!doctype\s|!--|!\[cdata\[|\?[a-z]|\/?[a-z][a-z0-9:-]*(?:[\s/>]|$))/i;
/** Markup that follows other text, at the start of a line. */
const MARKUP_WITHIN =
  /^\s*<(?:!doctype\s+(?:html|svg)|\?xml|html|head|body|svg|math|script|style|iframe|object|embed)(?:[\s/>]|$)/im;
const MARKUP_WITHIN_BYTES = 1_024;
/** Control characters that do not occur in text. Tabs, line ends, form feeds and escapes do. */
const NO_TEXT = /[\u0000-\u0008\u000E-\u001A\u001C-\u001F]/;

/**
 * Detects the type of a file from its first bytes. An unknown file without control characters is text in any encoding,
 * or markup if it looks like markup.
 * @param filename distinguishes the old Office formats, which share a signature
 */
export async function kindOf(sample: Uint8Array, filename: string | undefined): Promise<string> {
  // A UTF-16 byte-order mark resembles the start of an MPEG frame.
  if (hasUtf16Mark(sample)) return isUtf16Text(sample) ? UTF16_TEXT : UNKNOWN;
  const detected = await detect(() => fileTypeFromBuffer(sample));
  if (detected === undefined || (detected.startsWith('text/') && isText(sample))) return kindOfRest(sample);
  if (detected === OLD_OFFICE) return OLD_OFFICE_KINDS[extname(filename ?? '').toLowerCase()] ?? OLD_OFFICE;
  return SAME_KIND[detected] ?? detected;
}

/** Detects the type of a file without a known signature. */
function kindOfRest(sample: Uint8Array): string {
  const markup = isText(sample) ? markupOf(sample) : undefined;
  if (markup !== undefined) return markup;
  const headerAt = latin1Of(sample).search(PDF_HEADER);
  if (headerAt >= 0 && headerAt < PDF_HEADER_BYTES) return PDF;
  return isText(sample) ? TEXT : UNKNOWN;
}

function markupOf(sample: Uint8Array): string | undefined {
  // The patterns treat byte-order marks and no-break spaces as white space.
  const content = new TextDecoder().decode(sample);
  const isMarkup = MARKUP_BEGIN.test(content) || MARKUP_WITHIN.test(content.slice(0, MARKUP_WITHIN_BYTES));
  if (!isMarkup) return undefined;
  if (/<svg[\s>]/i.test(content)) return 'image/svg+xml';
  if (content.includes('http://www.w3.org/1999/xhtml')) return 'application/xhtml+xml';
  return /^\s*<\?xml\s/i.test(content) ? 'application/xml' : 'text/html';
}

function hasUtf16Mark([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function isUtf16Text(sample: Uint8Array): boolean {
  const decoder = new TextDecoder(sample[0] === 0xff ? 'utf-16le' : 'utf-16be', { fatal: true });
  try {
    return !NO_TEXT.test(decoder.decode(sample, { stream: true }));
  } catch {
    return false;
  }
}

function latin1Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** Detects the type of an archive from its whole content, since some programs write the document type last. */
export async function kindOfArchive({ stream, bytes }: { stream: Readable; bytes: number }): Promise<string> {
  try {
    const tokenizer = await fromStream(stream, { fileInfo: { size: bytes } });
    return (await detect(() => fileTypeFromTokenizer(tokenizer))) ?? ARCHIVE;
  } finally {
    stream.destroy();
  }
}

/** Checks whether the bytes may belong to a text. */
export function isText(bytes: Uint8Array): boolean {
  return !NO_TEXT.test(latin1Of(bytes));
}

/**
 * @param type message type
 * @throws AppError UNSUPPORTED_MEDIA if messages of this type cannot contain the file type
 */
export function assertKind(type: MediaType, kind: string): void {
  const { mimeTypes } = mediaLimitOf(type);
  if (mimeTypes.includes(kind)) return;
  throw new AppError('UNSUPPORTED_MEDIA', {
    message: `this kind of media is not supported: the file is ${shown(kind)}; type ${type} takes ${mimeTypes.join(', ')}`,
  });
}

/**
 * Returns the message type that sends files of a kind.
 * @throws AppError UNSUPPORTED_MEDIA when no message can contain the file type
 */
export function requireMediaType(kind: string): MediaType {
  const type = mediaTypeOf(kind);
  if (type !== undefined) return type;
  const kinds = MEDIA_TYPES.flatMap((each) => mediaLimitOf(each).mimeTypes).join(', ');
  throw new AppError('UNSUPPORTED_MEDIA', {
    message: `this kind of media is not supported: the file is ${shown(kind)}; accepted are ${kinds}`,
  });
}

/**
 * @param isStill true if the file is known to be a still image
 * @throws AppError PAYLOAD_TOO_LARGE with the limit
 */
export function assertSize(type: MediaType, bytes: number, isStill = false): void {
  const { maxBytes, maxStillBytes = maxBytes } = mediaLimitOf(type);
  const most = isStill ? maxStillBytes : maxBytes;
  if (bytes <= most) return;
  const what = most < maxBytes ? `a type ${type} that does not move` : `type ${type}`;
  throw new AppError('PAYLOAD_TOO_LARGE', { message: `the file is too large: at most ${sizeOf(most)} for ${what}` });
}

const shown = (kind: string): string => (kind === UNKNOWN ? 'of no known kind' : kind);

const sizeOf = (bytes: number): string => (bytes < MIB ? `${bytes / KIB} KB` : `${bytes / MIB} MB`);

/** Checks the animation flag in the extended header of a WebP file. */
export function isMovingPicture(sample: Uint8Array): boolean {
  const head = Buffer.from(sample.buffer, sample.byteOffset, Math.min(sample.byteLength, 21));
  const isExtended = head.length === 21 && head.toString('latin1', 8, 16) === 'WEBPVP8X';
  return isExtended && ((head[20] ?? 0) & 0b10) !== 0;
}

/** Runs the detector. Returns undefined for a file on which the detector fails. */
async function detect(look: () => Promise<{ mime: string } | undefined>): Promise<string | undefined> {
  try {
    return (await look())?.mime;
  } catch (error) {
    if (error instanceof AppError) throw error;
    return undefined;
  }
}
