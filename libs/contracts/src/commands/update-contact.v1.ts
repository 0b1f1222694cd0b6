import { Type } from 'class-transformer';
import { IsBoolean, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { command } from '../message-contract';
import { IsPhone, IsStorableText } from '../validation';
import { ContactRecord, contactSample } from './list-contacts.v1';

/** What is absent stays as it is. */
export class UpdateContactCommand {
  @IsString() accountId: string;
  @IsPhone() phone: string;
  /** An empty name takes the account's own name away. */
  @IsOptional() @IsStorableText() @MaxLength(128) name?: string;
  /** Marketing templates are refused. */
  @IsOptional() @IsBoolean() optedOut?: boolean;
  /** The same, as the person told the upstream platform. */
  @IsOptional() @IsBoolean() marketingOptOut?: boolean;
  /** Everything is refused. */
  @IsOptional() @IsBoolean() blocked?: boolean;
}

export class UpdateContactReply {
  @ValidateNested() @Type(() => ContactRecord) contact: ContactRecord;
  @IsBoolean() blocked: boolean;
}

export const updateContactV1 = command({
  name: 'messaging.update-contact.v1',
  owner: 'messaging',
  description: "Changes what an account holds about a person, by phone number; somebody new becomes a contact.",
  request: UpdateContactCommand,
  response: UpdateContactReply,
  changes: true,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', phone: '919812345678', optedOut: true },
    response: { contact: { ...contactSample, optedOut: true }, blocked: false },
  },
});
