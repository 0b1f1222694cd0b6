import { MEDIA_TYPES, type MediaType } from './message-types';

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

/** MIME type of Ogg with Opus, the only one that the platform accepts for a voice message. */
const VOICE_MIME_TYPE = 'audio/ogg';

/**
 * Returns why a file cannot be sent as a message of a type; undefined if it can.
 * @param isVoice whether it is to be sent as a voice message
 */
export function mediaFault(mimeType: string, type: MediaType, isVoice = false): string | undefined {
  const { mimeTypes } = LIMITS[type];
  if (!mimeTypes.includes(mimeType)) return `the file is ${mimeType}; type ${type} takes ${mimeTypes.join(', ')}`;
  if (isVoice && mimeType !== VOICE_MIME_TYPE)
    return `the file is ${mimeType}; a voice message takes Ogg with Opus (${VOICE_MIME_TYPE})`;
  return undefined;
}

/** Returns the message type that sends files of a MIME type; undefined for one that cannot be sent. */
export function mediaTypeOf(mimeType: string): MediaType | undefined {
  return MEDIA_TYPES.find((type) => LIMITS[type].mimeTypes.includes(mimeType));
}

/** Returns the allowed MIME types and maximum size of an uploaded file for a message type. */
export function mediaLimitOf(type: MediaType): MediaLimit {
  return LIMITS[type];
}
