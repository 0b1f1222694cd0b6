import { IsString } from 'class-validator';
import { command } from '../message-contract';
import { IsPhone } from '../validation';

export class AddNumberCommand {
  @IsString() accountId: string;
  @IsString() @IsPhone() phoneNumber: string;
  /** The upstream's identifier of the number. */
  @IsString() phoneNumberId: string;
  /** The upstream's business account that holds the number. */
  @IsString() wabaId: string;
  /** Encrypted with ENCRYPTION_KEY by the sender; never in clear on the broker. */
  @IsString() sealedAccessToken: string;
}

export class AddNumberReply {
  @IsString() id: string;
  @IsString() phoneNumber: string;
}

export const addNumberV1 = command({
  name: 'messaging.add-number.v1',
  owner: 'messaging',
  description: 'Registers a business number for an account, or renews its credentials when the account has it already.',
  request: AddNumberCommand,
  response: AddNumberReply,
  changes: true,
  timeoutMs: 10_000,
  maxBytes: 16_384,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      phoneNumber: '15550783881',
      phoneNumberId: '200000000000002',
      wabaId: '100000000000001',
      sealedAccessToken: 'v1.c2VhbGVk',
    },
    response: { id: 'num_01jd0000000000000000000000', phoneNumber: '15550783881' },
  },
});
