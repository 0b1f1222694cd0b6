import { IsString } from 'class-validator';
import { event } from '../message-contract';

export class AgentLeftV1 {
  @IsString() accountId: string;
  @IsString() userId: string;
}

export const agentLeftV1 = event({
  name: 'gateway.agent.left.v1',
  producer: 'gateway',
  consumers: ['messaging'],
  description: 'A user was disabled or became a viewer, so the conversations of the user must be unassigned.',
  body: AgentLeftV1,
  sample: { accountId: 'acc_01jd0000000000000000000000', userId: 'usr_01jd0000000000000000000000' },
});
