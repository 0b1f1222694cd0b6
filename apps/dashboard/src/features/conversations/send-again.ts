import { useEffect } from 'react';
import { api, must } from '../../api/client';
import { useFilters } from '../../hooks/use-filters';
import { useRead } from '../../hooks/queries';
import { writtenTextOf } from '../messages/shared/message-parts';
import { type SentTemplate, toSentTemplate } from '../templates/shared/sent-template';
import { isEmpty, keepUnsent, unsentTo } from './reply-drafts';

/**
 * Prepares an earlier message to be sent again, which the address names (`?again=msg_…`). Its text becomes the draft,
 * unless there is one.
 * @param drafted key of the conversation's draft
 * @returns the template of the message, for the template sender, and a function that forgets the message
 */
export function useSendAgain(drafted: string): { again: SentTemplate | undefined; forget(): void } {
  const [{ again: messageId = '' }, filter] = useFilters();
  const { data } = useRead(
    ['messages', 'one', messageId],
    () => must(api.GET('/console/v1/messages/{id}', { params: { path: { id: messageId } } })),
    { enabled: messageId !== '' },
  );
  const message = messageId === '' ? undefined : data?.message;
  const text = message?.type === 'text' ? writtenTextOf(message) : undefined;
  const forget = (): void => filter({ again: undefined }, { isTyped: true });
  useEffect(() => {
    if (text === undefined) return;
    if (isEmpty(unsentTo(drafted))) keepUnsent(drafted, { text, isNote: false });
    forget();
  });
  return { again: message?.template && toSentTemplate(message.template), forget };
}
