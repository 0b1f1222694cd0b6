import type { Message } from '../messages/shared/message-parts';

/** What one side thinks of a message. */
export interface Reaction {
  emoji: string;
  isOurs: boolean;
}

/** The messages of a thread without the reactions that are shown at others. */
export interface Reacted {
  messages: Message[];
  /** By the platform's id of the message that they are about. */
  reactions: ReadonlyMap<string, Reaction[]>;
}

/** @returns what a reaction is about, and its emoji: empty when it was taken back */
function reactionOf({ type, reaction }: Message): { messageId: string; emoji: string } | undefined {
  const { messageId, emoji } = (reaction ?? {}) as { messageId?: unknown; emoji?: unknown };
  if (type !== 'reaction' || typeof messageId !== 'string') return undefined;
  return { messageId, emoji: typeof emoji === 'string' ? emoji : '' };
}

/**
 * Puts reactions to the messages that they are about. Each side has one: the newest. One that failed, or whose message
 * is not among these, stays where it was written.
 * @param all the oldest first
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
