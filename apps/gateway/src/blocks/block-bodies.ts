import {
  AddedLater,
  Answer,
  type BlockRecord,
  blockSample,
  BodySchema,
  Doc,
  type ErrorCode,
  IsTime,
  OrNull,
  phoneOfPerson,
  PHONE_SCHEMA,
  RECIPIENT_SCHEMA,
  SHOWN_PHONE,
} from '@switchboard/contracts';
import { IsBoolean, IsString } from 'class-validator';

/** Errors of blocking and unblocking, besides the common ones. */
export const BLOCK_ERRORS = [
  'INVALID_PARAMETER',
  'INVALID_PHONE',
  'INVALID_VALUE',
  'NUMBER_STOPPED',
  'UPSTREAM_THROTTLED',
  'UPSTREAM_ERROR',
  'UPSTREAM_TIMEOUT',
] satisfies ErrorCode[];

/** Response to a change of a block list (spec §3.13). */
@Answer({
  example: () => {
    const { phone, phoneNumber, blockedAt } = blockSample;
    return { success: true, phone, phoneNumber, blocked: true, blockedAt };
  },
})
export class BlockAnswer {
  @Doc('The contact, as identified in the request', RECIPIENT_SCHEMA) @IsString() phone: string;
  @Doc('Your business number', PHONE_SCHEMA) @IsString() phoneNumber: string;
  @IsBoolean() blocked: boolean;
  @Doc('Time at which the contact was first blocked; null for a contact who is not blocked')
  @OrNull()
  @IsTime()
  blockedAt: string | null;
}

/** Contact blocked by a business number at the upstream platform (spec §3.13.8). */
@BodySchema({
  name: 'Block',
  description:
    'Contact blocked by a business number at the upstream platform. An opt-out, in contrast, is enforced by this service.',
})
export class Block {
  @Doc('Phone number of the blocked contact; null if they were blocked by user id', SHOWN_PHONE)
  @OrNull()
  @IsString()
  phone: string | null;
  @Doc('User id of the contact, if it is known', { example: 'IN.10000000000000000001' })
  @AddedLater()
  @OrNull()
  @IsString()
  userId?: string | null;
  @Doc(
    "Name that you gave the contact; defaults to the contact's profile name. Null if the blocked user is not among your contacts",
  )
  @OrNull()
  @IsString()
  name: string | null;
  @OrNull() @IsString() contactId: string | null;
  @Doc('Your business number that blocks the contact', PHONE_SCHEMA) @IsString() phoneNumber: string;
  @Doc(
    "Time at which you blocked the contact through the service, or at which the block first appeared on the platform's list",
  )
  @IsTime()
  blockedAt: string;
}

/** Converts a block to the API's format. */
export function blockItem({ phone, userId = null, name, contactId, phoneNumber, blockedAt }: BlockRecord): Block {
  return { phone: phoneOfPerson(phone), userId, name, contactId, phoneNumber, blockedAt };
}
