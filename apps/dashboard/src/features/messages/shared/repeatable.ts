import { toSentTemplate, valuesOf } from '../../templates/shared/sent-template';
import { type Message, writtenTextOf } from './message-parts';

/** Placeholder for the texts of one-time passwords. */
export const MASK = '••••••';

/** Returns whether the composer or the template sender can send the message again. */
export const isRepeatable = (message: Message): boolean =>
  message.direction === 'outbound' &&
  message.deletedAt === undefined &&
  (message.template === undefined
    ? message.type === 'text' && ![undefined, MASK].includes(writtenTextOf(message))
    : !isMasked(message.template));

/** Returns whether the values of a template message are hidden, as those of one-time passwords are. */
function isMasked(template: unknown): boolean {
  const sent = toSentTemplate(template);
  return sent !== undefined && valuesOf(sent).includes(MASK);
}

/** Returns why a message must not be sent again yet: it may still reach the contact. */
export function openRefusalOf({ status, held }: Message): string | undefined {
  if (status === 'unknown') return 'The outcome of this message is still being checked';
  return held ? 'The platform holds this message until it has reviewed the template' : undefined;
}
