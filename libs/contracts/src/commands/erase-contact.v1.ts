import { IsBoolean, IsInt, IsOptional, IsString } from 'class-validator';
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
  /** On a dry run: every name under which the person is known, phone numbers and the upstream's user ids; other services know them by these only. */
  @IsOptional() @IsString({ each: true }) knownAs?: string[];
}

export const eraseContactV1 = command({
  name: 'messaging.erase-contact.v1',
  owner: 'messaging',
  description:
    'Erases a bounded part of what is stored about a person: messages, media, and in the last step the contact. Refused with NOT_FOUND when the account knows nobody by this number. Statuses that upstream reports about erased messages are kept for up to 24 hours; they hold an upstream message id and no name.',
  request: EraseContactCommand,
  response: EraseContactReply,
  changes: true,
  timeoutMs: 60_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', phone: '919812345678', dryRun: false },
    response: { messages: 134, media: 3, done: true },
  },
});
