import { IsIn, IsString } from 'class-validator';
import { event } from '../message-contract';

/** Activities of a user in an open conversation. `left` ends the other states, which also expire. */
export const PRESENCE_STATES = ['viewing', 'writing', 'left'] as const;
export type PresenceState = (typeof PRESENCE_STATES)[number];

export class ConversationPresenceV1 {
  @IsString() accountId: string;
  @IsString() contactId: string;
  @IsString() userId: string;
  @IsIn(PRESENCE_STATES) state: PresenceState;
}

export const conversationPresenceV1 = event<ConversationPresenceV1>({
  name: 'gateway.conversation.presence.v1',
  producer: 'gateway',
  consumers: [],
  broadcastTo: ['gateway'],
  description: 'A user views a conversation or writes in it. Passed to the dashboards of colleagues, and never stored.',
  body: ConversationPresenceV1,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    contactId: 'ct_01jd0000000000000000000000',
    userId: 'usr_01jd0000000000000000000000',
    state: 'writing',
  },
});
