import { AppError, CAPTION_TYPES, type MessageContent } from '@switchboard/contracts';

/**
 * Rejects a second, different caption, since one of the two would be lost (spec §3.3.7).
 * @throws AppError INVALID_PARAMETER
 */
export function requireOneCaption<Message extends MessageContent>(message: Message): Message {
  const { type, caption } = message;
  const content: { caption?: string } | undefined = CAPTION_TYPES.includes(type)
    ? message[type as 'image' | 'document' | 'video']
    : undefined;
  const inner = content?.caption;
  if (caption === undefined || inner === undefined || inner === caption) return message;
  const text = `caption must be given once: ${type}.caption differs from it`;
  throw new AppError('INVALID_PARAMETER', { message: text, details: [{ field: 'caption', message: text }] });
}
