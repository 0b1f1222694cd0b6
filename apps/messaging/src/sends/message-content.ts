import {
  CAPTION_TYPES,
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
    };
  if (!(message instanceof MessageContent)) return {};
  const { type } = message;
  if (type === 'reaction') return {};
  const { link, filename } = {
    filename: undefined,
    link: undefined,
    ...(isMediaType(type) && message[type]),
  };
  if (link !== undefined) return { link, ...(filename && { filename }) };
  return message[type] ?? {};
}

/** Reads the caption from the top level, or else from the media object (spec §3.3.4). */
export function captionOf(message: MessageContent | SendUploadRequest): string | null {
  if (message.caption !== undefined && message.caption !== null) return message.caption || null;
  if (!(message instanceof MessageContent) || !CAPTION_TYPES.includes(message.type)) return null;
  return message[message.type as 'image' | 'document' | 'video']?.caption || null;
}
