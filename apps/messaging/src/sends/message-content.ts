import {
  type AudioContent,
  CAPTION_TYPES,
  type DocumentContent,
  isMediaType,
  MessageContent,
  type SendUploadRequest,
  type UploadedFile,
} from '@switchboard/contracts';

/**
 * Returns the content to store under the type's name: either as requested or the metadata of the file. Templates and
 * reactions are stored in their checked form instead.
 */
export function contentOf(message: MessageContent | SendUploadRequest, upload?: UploadedFile): object {
  if (upload)
    return {
      mimeType: upload.mimeType,
      ...(upload.filename && message.type === 'document' && { filename: upload.filename }),
      ...('voice' in message && message.voice === 'true' && { voice: true }),
    };
  if (!(message instanceof MessageContent)) return {};
  const { type } = message;
  if (type === 'reaction') return {};
  if (!isMediaType(type)) return message[type] ?? {};
  const { link, id, filename, voice } = { ...(message[type] as AudioContent & DocumentContent) };
  return { ...(id ? { id } : { link }), ...(filename && { filename }), ...(voice && { voice }) };
}

/** Reads the caption from the top level, or else from the media object (spec §3.3.4). */
export function captionOf(message: MessageContent | SendUploadRequest): string | null {
  if (message.caption !== undefined && message.caption !== null) return message.caption || null;
  if (!(message instanceof MessageContent) || !CAPTION_TYPES.includes(message.type)) return null;
  return message[message.type as 'image' | 'document' | 'video']?.caption || null;
}
