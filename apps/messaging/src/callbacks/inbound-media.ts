import { newId } from '@switchboard/contracts';
import type { UpstreamCallbackError } from '@switchboard/upstream';

/** File of an inbound message, as described by upstream. */
export interface InboundMedia {
  /** Internal id, under which customers fetch the file. */
  id: string;
  upstreamId: string;
  mimeType: string;
  /** Base64. */
  sha256: string | null;
  filename: string | null;
  /** Why upstream does not have the file; usually null. */
  error: string | null;
}

const MEDIA_TYPES = ['image', 'document', 'video', 'audio', 'sticker'];
const MEDIA_DOWNLOAD_ERROR = 131052;

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Reads the file of a message; null if it has none. */
export function readMedia(
  type: string,
  content: object | null,
  errors: readonly Partial<UpstreamCallbackError>[],
): InboundMedia | null {
  const { id, mime_type: mimeType, sha256, filename } = (content ?? {}) as Record<string, unknown>;
  const upstreamId = textOrNull(id);
  if (!MEDIA_TYPES.includes(type) || upstreamId === null) return null;
  const failure = errors.find(({ code }) => code === MEDIA_DOWNLOAD_ERROR);
  const error = failure
    ? `upstream could not take the media in: ${textOrNull(failure.title) ?? MEDIA_DOWNLOAD_ERROR}`
    : null;
  return {
    id: newId('med'),
    upstreamId,
    mimeType: textOrNull(mimeType) ?? 'application/octet-stream',
    sha256: textOrNull(sha256),
    filename: textOrNull(filename),
    error,
  };
}

/** Returns the content with our media id, and without the URL, which requires upstream's token. */
export function withOurMedia(content: object, media: InboundMedia): object {
  const ours: Record<string, unknown> = { ...content, id: media.id };
  delete ours.url;
  return ours;
}
