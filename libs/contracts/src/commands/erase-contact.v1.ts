import { IsBoolean, IsInt, IsString } from 'class-validator';
import { command } from '../message-contract';
import { IsPhone } from '../validation';

export class EraseContactCommand {
  @IsString() accountId: string;
  @IsPhone() phone: string;
  /** Counts what would go, and changes nothing. */
  @IsBoolean() dryRun: boolean;
}

export class EraseContactReply {
  /** What went in this step, or what would go in all. */
  @IsInt() messages: number;
  @IsInt() media: number;
  /** False: ask again, there is more to erase. */
  @IsBoolean() done: boolean;
}

export const eraseContactV1 = command({
  name: 'messaging.erase-contact.v1',
  owner: 'messaging',
  description: 'Erases a bounded part of what is stored about a person: messages, media, and in the last step the contact. Refused with NOT_FOUND when the account knows nobody by this number.',
  request: EraseContactCommand,
  response: EraseContactReply,
  timeoutMs: 60_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', phone: '919812345678', dryRun: false },
    response: { messages: 134, media: 3, done: true },
  },
});
