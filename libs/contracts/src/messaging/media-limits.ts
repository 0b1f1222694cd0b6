import type { MediaType } from './message-types';

const KIB = 1_024;
const MIB = 1_048_576;
const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** Upstream limits for a media file of a message (spec §3.4.4). */
export interface MediaLimit {
  mimeTypes: readonly string[];
  maxBytes: number;
  /** Maximum size of a static image in bytes; defaults to `maxBytes`. */
  maxStillBytes?: number;
}

const LIMITS: Record<MediaType, MediaLimit> = {
  image: { mimeTypes: ['image/jpeg', 'image/png'], maxBytes: 5 * MIB },
  audio: { mimeTypes: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'], maxBytes: 16 * MIB },
  video: { mimeTypes: ['video/mp4', 'video/3gpp'], maxBytes: 16 * MIB },
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
  sticker: { mimeTypes: ['image/webp'], maxBytes: 500 * KIB, maxStillBytes: 100 * KIB },
};

/** Returns the allowed MIME types and maximum size of an uploaded file for a message type. */
export function mediaLimitOf(type: MediaType): MediaLimit {
  return LIMITS[type];
}
