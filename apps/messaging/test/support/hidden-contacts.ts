import { listContactsV1, listConversationMessagesV1, listConversationsV1 } from '@switchboard/contracts';
import { inboundText, type RunningMessaging, type TestAccount } from './start-messaging';

/** User id of a contact whose number is hidden. */
export const HIDDEN = 'US.10000000000000000042';

/** Returns callbacks and reads of contacts without a visible number. @param given service and account of the test */
export function hiddenContacts(given: () => { messaging: RunningMessaging; account: TestAccount }) {
  const person = (userId = HIDDEN, username = '@asha.rao', phone?: string) => ({
    profile: { name: 'Asha R', username },
    user_id: userId,
    ...(phone !== undefined && { wa_id: phone }),
  });
  const receive = async (message: object, contact: object = person()): Promise<void> => {
    await given().messaging.callback(given().account.phoneNumberId, { messages: [message], contacts: [contact] });
    await given().messaging.settled();
  };
  const hiddenText = (userId = HIDDEN, more: object = {}) => ({
    ...inboundText(),
    from: undefined,
    from_user_id: userId,
    ...more,
  });
  const contacts = async (search?: string) =>
    (
      await given().messaging.gateway.request(listContactsV1, {
        accountId: given().account.accountId,
        page: 1,
        limit: 20,
        ...(search && { search }),
      })
    ).contacts;
  const conversations = async (search?: string) =>
    (
      await given().messaging.gateway.request(listConversationsV1, {
        accountId: given().account.accountId,
        page: 1,
        limit: 20,
        ...(search && { search }),
      })
    ).conversations;
  const thread = async (phone: string) =>
    (
      await given().messaging.gateway.request(listConversationMessagesV1, {
        accountId: given().account.accountId,
        phone,
        page: 1,
        limit: 20,
      })
    ).messages;
  return { person, receive, hiddenText, contacts, conversations, thread };
}
