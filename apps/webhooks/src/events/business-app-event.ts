import { camelCaseKeys, inboundContent, type MessageEchoedV1, phoneOfPerson } from '@switchboard/contracts';
import { type CustomerEvent, isoMilliseconds } from './customer-event';

/**
 * Creates the event for a message that was sent, edited or deleted in the business's phone app (spec §11.9.1), one per
 * message, edit and deletion.
 * @param publicBaseUrl public base URL of the API, without the version
 */
export function messageEchoEvent(echo: MessageEchoedV1, publicBaseUrl: string): CustomerEvent {
  const timestamp = isoMilliseconds(echo.timestamp);
  const { accountId, action, id, upstreamId: messageId, changeId, from, to: person, userId, context } = echo;
  const to = phoneOfPerson(person);
  const { type, content } =
    echo.type === null ? { type: null } : inboundContent(echo.type, echo.content, publicBaseUrl);
  return {
    kind: 'message_echo',
    accountId,
    dedupKey: `message_echo:${changeId ?? messageId}:${action}`,
    messageId,
    subject: person,
    occurredAt: timestamp,
    fields: {
      event: 'message_echo',
      action,
      messageId,
      from,
      to,
      ...(type !== null && { type, ...(content !== undefined && { [type]: content }) }),
      ...(context && { context: camelCaseKeys(context) as typeof context }),
      // A hidden number is null. The user id identifies the contact.
      timestamp,
      id,
      userId: userId ?? (to === null ? person : null),
    },
  };
}
