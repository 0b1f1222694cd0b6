import { IsOptional, IsString } from 'class-validator';
import { event } from '../message-contract';
import { IsObjectOrList } from '../validation';

export class MessageReceivedV1 {
  @IsString() accountId: string;
  @IsString() id: string;
  @IsString() upstreamId: string;
  /** The business number written to. */
  @IsString() to: string;
  /** The sender's phone number, or the upstream's user id where the number is hidden. */
  @IsString() from: string;
  @IsOptional() @IsString() name: string | null;
  @IsString() type: string;
  @IsOptional() @IsObjectOrList() content: object | null;
  /** When the sender wrote, ISO 8601 UTC. */
  @IsString() timestamp: string;
}

export const messageReceivedV1 = event({
  name: 'messaging.message.received.v1',
  producer: 'messaging',
  consumers: ['webhooks'],
  description: 'A customer wrote to a business number; the message is stored and the service window is open.',
  body: MessageReceivedV1,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    id: 'msg_01jd0000000000000000000000',
    upstreamId: 'wamid.IN',
    to: '15550783881',
    from: '919812345678',
    name: 'Asha R',
    type: 'text',
    content: { body: 'Hello' },
    timestamp: '2026-03-02T10:16:00.000Z',
  },
});
