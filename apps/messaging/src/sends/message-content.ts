import {
  CAPTION_TYPES,
  isMediaType,
  MessageContent,
  type SendUploadRequest,
  type UploadedFile,
} from '@switchboard/contracts';

/**
 * What is stored under the type's name: as in the request, or what is known of the file. Templates and reactions are
 * stored as they were checked.
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

/** At the top level, or with the media (spec §3.3.4). */
export function captionOf(message: MessageContent | SendUploadRequest): string | null {
  if (message.caption !== undefined && message.caption !== null) return message.caption || null;
  if (!(message instanceof MessageContent) || !CAPTION_TYPES.includes(message.type)) return null;
  return message[message.type as 'image' | 'document' | 'video']?.caption || null;
}
