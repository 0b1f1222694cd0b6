import { useEffect, useEffectEvent } from 'react';
import { api, must } from '../../api/client';
import { useToasts } from '../../components/toasts';
import { focusComposer } from '../../lib/focus-composer';
import { useFilters } from '../../hooks/use-filters';
import { useRead } from '../../hooks/queries';
import { otherSideOf, ourNumberOf, writtenTextOf } from '../messages/shared/message-parts';
import { isRepeatable, openRefusalOf } from '../messages/shared/repeatable';
import { type SentTemplate, toSentTemplate } from '../templates/shared/sent-template';
import { isEmpty, keepUnsent, unsentTo } from './reply-drafts';

interface Conversation {
  /** Key of the conversation's draft. */
  drafted: string;
  /** Numbers and user IDs of the contact. */
  people: readonly (string | null)[];
  /** Why nothing can be sent. */
  refusal: string | undefined;
}

interface SendAgain {
  template: SentTemplate;
  /** Business number of the message. */
  from: string | undefined;
}

/** Keeps the filters of the list in a link to another conversation, without what belongs to one message. */
export const listFilters = (search: object): object => ({
  ...search,
  again: undefined,
  at: undefined,
  find: undefined,
});

/**
 * Prepares an earlier message to be sent again, which the address names (`?again=msg_…`). Its text becomes the draft,
 * unless there is one. A message of another conversation, or that must not be sent again, is forgotten.
 * @returns the template of the message, for the template sender, and a function that forgets the message
 */
export function useSendAgain({ drafted, people, refusal }: Conversation): {
  again: SendAgain | undefined;
  forget(): void;
} {
  const [{ again: messageId = '' }, filter] = useFilters();
  const { tell } = useToasts();
  const { data, error } = useRead(
    ['messages', 'one', messageId],
    () => must(api.GET('/console/v1/messages/{id}', { params: { path: { id: messageId } } })),
    { enabled: messageId !== '' },
  );
  const message = messageId === '' ? undefined : data?.message;
  const other = message && isRepeatable(message) ? otherSideOf(message) : null;
  const isOfContact = other !== null && people.includes(other);
  const openRefusal = message && openRefusalOf(message);
  const text = message?.type === 'text' ? writtenTextOf(message) : undefined;
  const template = message?.template && toSentTemplate(message.template);
  const from = (message && ourNumberOf(message)) ?? undefined;
  const isRefused =
    (refusal ?? openRefusal) !== undefined || (message !== undefined && !isOfContact) || (error !== null && !message);
  const isSettled = messageId !== '' && (isRefused || (message !== undefined && template === undefined));
  const forget = (): void => filter({ again: undefined }, { isTyped: true });
  const settle = useEffectEvent((): void => {
    forget();
    if (isRefused) {
      const problem = error?.message ?? openRefusal;
      if (problem !== undefined) tell({ kind: 'bad', text: problem });
      return;
    }
    if (text === undefined) return;
    const unsent = unsentTo(drafted);
    const isFree = isEmpty(unsent) || unsent.text === text;
    keepUnsent(drafted, { isNote: false, ...(isFree && { text, from, answers: undefined }) });
    if (!isFree) tell({ kind: 'bad', text: 'Your draft was kept, so the text was not filled in.' });
    // The next frame shows the reply, even where the composer showed a note.
    requestAnimationFrame(focusComposer);
  });
  useEffect(() => {
    if (isSettled) settle();
  }, [isSettled, messageId]);
  return { again: isOfContact && !isRefused && template ? { template, from } : undefined, forget };
}
