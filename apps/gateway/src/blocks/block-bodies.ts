import {
  Answer,
  blockSample,
  Doc,
  type ErrorCode,
  IsTime,
  OrNull,
  PHONE_SCHEMA,
  RECIPIENT_SCHEMA,
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
