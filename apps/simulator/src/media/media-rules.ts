import { readUrl } from '@switchboard/upstream';

const KIB = 1024;
const MIB = 1024 * KIB;

const OFFICE = 'application/vnd.openxmlformats-officedocument';

interface MediaRule {
  mimeTypes: readonly string[];
  maxBytes: number;
}

/**
 * Platform limits per kind of media. WebP and GIF are not accepted as images, and every sticker counts as animated (500
 * KB).
 */
const RULES: Record<string, MediaRule> = {
  audio: { mimeTypes: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'], maxBytes: 16 * MIB },
  document: {
    mimeTypes: [
      'text/plain',
      'application/pdf',
      'application/msword',
      `${OFFICE}.wordprocessingml.document`,
      'application/vnd.ms-excel',
      `${OFFICE}.spreadsheetml.sheet`,
      'application/vnd.ms-powerpoint',
      `${OFFICE}.presentationml.presentation`,
    ],
    maxBytes: 100 * MIB,
  },
  image: { mimeTypes: ['image/jpeg', 'image/png'], maxBytes: 5 * MIB },
  sticker: { mimeTypes: ['image/webp'], maxBytes: 500 * KIB },
  video: { mimeTypes: ['video/mp4', 'video/3gpp'], maxBytes: 16 * MIB },
};

export const ALL_MIME_TYPES: readonly string[] = Object.values(RULES).flatMap(({ mimeTypes }) => mimeTypes);

/** Removes parameters and converts to lowercase: `audio/ogg; codecs=opus` becomes `audio/ogg`. */
export function bareMimeType(mimeType: string): string {
  return mimeType.split(';')[0]!.trim().toLowerCase();
}

/** Returns the kind and the maximum size of a MIME type, or undefined when the platform rejects it. */
export function ruleOf(mimeType: string): { kind: string; maxBytes: number } | undefined {
  const bare = bareMimeType(mimeType);
  const found = Object.entries(RULES).find(([, { mimeTypes }]) => mimeTypes.includes(bare));
  return found && { kind: found[0], maxBytes: found[1].maxBytes };
}

/**
 * Returns true if a file of this MIME type may be sent as this kind. Any accepted file may be sent as a document, and a
 * GIF counts as a video.
 */
export function fitsKind(mimeType: string, kind: string): boolean {
  const rule = ruleOf(mimeType);
  return rule !== undefined && (rule.kind === (kind === 'gif' ? 'video' : kind) || kind === 'document');
}

export function isHttpLink(link: unknown): boolean {
  return typeof link === 'string' && /^https?:\/\//i.test(link) && readUrl(link) !== undefined;
}
