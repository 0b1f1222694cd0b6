import { isMediaType, MessageContent, type SendUploadRequest, type UploadedFile } from '@switchboard/contracts';

/**
 * What is stored under the type's name: as in the request, or what is known of the file. A template is stored as it was
 * checked.
 */
export function contentOf(message: MessageContent | SendUploadRequest, upload?: UploadedFile): object {
  if (upload)
    return {
      mimeType: upload.mimeType,
      ...(upload.filename && message.type === 'document' && { filename: upload.filename }),
    };
  if (!(message instanceof MessageContent)) return {};
  const { link, filename } = {
    filename: undefined,
    link: undefined,
    ...(isMediaType(message.type) && message[message.type]),
  };
  if (link !== undefined) return { link, ...(filename && { filename }) };
  return { ...message.text };
}

/** At the top level, or with the media (spec §3.3.4). */
export function captionOf(message: MessageContent | SendUploadRequest): string | null {
  if (message.caption !== undefined && message.caption !== null) return message.caption || null;
  if (!(message instanceof MessageContent) || message.type === 'audio' || !isMediaType(message.type)) return null;
  return message[message.type]?.caption || null;
}
