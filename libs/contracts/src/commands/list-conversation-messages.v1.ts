import { IsString } from 'class-validator';
import { PageRequest } from '../lists';
import { command } from '../message-contract';
import { ListMessagesReply, listMessagesV1 } from './list-messages.v1';

export class ListConversationMessagesCommand extends PageRequest {
  @IsString() phone: string;
}

export const listConversationMessagesV1 = command({
  name: 'messaging.list-conversation-messages.v1',
  owner: 'messaging',
  description: 'One page of what an account wrote with one person, newest first; refused with NOT_FOUND when the account knows nobody by this number.',
  request: ListConversationMessagesCommand,
  response: ListMessagesReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', phone: '919812345678', page: 1, limit: 20 },
    response: listMessagesV1.sample.response,
  },
});
