import { newId } from '@switchboard/contracts';
import type { UpstreamCallbackError } from '@switchboard/upstream';

/** File of an inbound message, as upstream describes it. */
export interface InboundMedia {
  /** Internal id, under which clients fetch the file. */
  id: string;
  upstreamId: string;
  mimeType: string;
  /** SHA-256 hash in base64. */
  sha256: string | null;
  filename: string | null;
  /** Reason why upstream does not have the file. Usually null. */
  error: string | null;
}

const MEDIA_TYPES = ['image', 'document', 'video', 'audio', 'sticker'];
const MEDIA_DOWNLOAD_ERROR = 131052;

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Reads the file of a message. Returns null if it has none. */
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
    ? `upstream could not receive the media: ${textOrNull(failure.title) ?? MEDIA_DOWNLOAD_ERROR}`
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

/** Returns the content with the internal media id. Removes the URL, because it requires upstream's token. */
export function withOurMedia(content: object, media: InboundMedia): object {
  const ours: Record<string, unknown> = { ...content, id: media.id };
  delete ours.url;
  return ours;
}
