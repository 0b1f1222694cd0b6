import { isUserId } from '@switchboard/contracts';
import type { UpstreamMessageEcho, UpstreamMessagesValue } from '@switchboard/upstream';
import {
  contactOf,
  type Given,
  isChange,
  type MessageBody,
  readBody,
  textOrNull,
  usernameOf,
  type Writer,
} from './inbound-messages';
import { type MessageChange, readChange } from './message-changes';

/** A message that the business sent from its phone app. */
export interface Echo extends MessageBody {
  /** Recipient. Its `sender` is the recipient's phone number or user id, as in the message. */
  recipient: Writer;
  /** Position in the callback, starting at 0. */
  position: number;
}

type GivenEcho = Partial<UpstreamMessageEcho>;

/** Reads the phone app messages of a callback. Skips messages without an id or a recipient. */
export function readEchoes(value: UpstreamMessagesValue, now: Date): Echo[] {
  return (value.message_echoes ?? []).flatMap((echo: GivenEcho, position): Echo[] => {
    if (isChange(echo as Given)) return [];
    const body = readBody(echo as Given, now);
    const recipient = readRecipient(echo, value);
    return body && recipient ? [{ ...body, recipient, position }] : [];
  });
}

/** Reads edits and deletions made in the phone app. */
export function readEchoChanges(value: UpstreamMessagesValue, now: Date): MessageChange[] {
  return (value.message_echoes ?? []).flatMap((echo: GivenEcho): MessageChange[] => {
    const change = isChange(echo as Given) ? readChange(echo as Given, now) : undefined;
    const recipient = readRecipient(echo, value);
    return change && recipient ? [{ ...change, ...recipient, groupId: null }] : [];
  });
}

/** Reads the recipient. `to` may be a user id. Returns undefined if there is no recipient. */
function readRecipient(
  { to, to_user_id, to_parent_user_id }: GivenEcho,
  { contacts = [] }: UpstreamMessagesValue,
): Writer | undefined {
  const named = textOrNull(to);
  const isId = named !== null && isUserId(named);
  const phone = isId ? null : named;
  const givenId = textOrNull(to_user_id) ?? (isId ? named : null);
  const contact = contactOf(contacts, phone, givenId);
  const userId = givenId ?? textOrNull(contact?.user_id);
  const sender = phone ?? userId;
  const name = textOrNull(contact?.profile?.name);
  const parentUserId = textOrNull(to_parent_user_id) ?? textOrNull(contact?.parent_user_id);
  return sender === null ? undefined : { sender, phone, userId, name, username: usernameOf(contact), parentUserId };
}
