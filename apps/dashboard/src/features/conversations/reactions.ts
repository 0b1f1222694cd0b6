import type { Message } from '../messages/shared/message-parts';

export interface Reaction {
  emoji: string;
  isOurs: boolean;
}

/** Messages of a thread, without the reactions that are attached to other messages. */
export interface Reacted {
  messages: Message[];
  /** Reactions by the WhatsApp ID of the target message. */
  reactions: ReadonlyMap<string, Reaction[]>;
}

/** Returns the target and the emoji of a reaction; the emoji is empty when it was withdrawn. */
function reactionOf({ type, reaction }: Message): { messageId: string; emoji: string } | undefined {
  const { messageId, emoji } = (reaction ?? {}) as { messageId?: unknown; emoji?: unknown };
  if (type !== 'reaction' || typeof messageId !== 'string') return undefined;
  return { messageId, emoji: typeof emoji === 'string' ? emoji : '' };
}

/**
 * Attaches reactions to their target messages. Each side has one: the newest. A reaction stays in the thread when it
 * failed or its target is not loaded.
 * @param all messages, oldest first
 */
export function withReactions(all: readonly Message[]): Reacted {
  const ids = new Set(all.map((message) => message.message_id));
  const newest = new Map<string, Map<Message['direction'], string>>();
  const messages = all.filter((message) => {
    const found = message.status === 'failed' ? undefined : reactionOf(message);
    if (!found || !ids.has(found.messageId)) return true;
    const sides = newest.get(found.messageId) ?? new Map<Message['direction'], string>();
    newest.set(found.messageId, sides.set(message.direction, found.emoji));
    return false;
  });
  const shown = [...newest].map(
    ([id, sides]) =>
      [
        id,
        [...sides].filter(([, emoji]) => emoji !== '').map(([side, emoji]) => ({ emoji, isOurs: side === 'outbound' })),
      ] as const,
  );
  return { messages, reactions: new Map(shown) };
}
