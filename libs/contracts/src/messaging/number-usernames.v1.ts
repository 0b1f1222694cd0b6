import { IsIn, IsOptional, IsString, Matches } from 'class-validator';
import { command, SMALL_COMMAND_BYTES } from '../message-contract';
import { IsPhone } from '../validation';

/**
 * User name in the format of the platform, without the @: 3 to 35 letters, digits, dots and underscores with at least
 * one letter; no dot at either end, no two dots in a row, and no `www` at the start.
 */
export const BUSINESS_USERNAME_PATTERN = /^(?!\.|www|.*\.\.|.*\.$)(?=.*[A-Za-z])[A-Za-z0-9._]{3,35}$/i;
export const BUSINESS_USERNAME_FAULT =
  'username must have 3 to 35 letters, digits, dots and underscores, with a letter, and without www or a dot at the start';

/** `approved`: visible to contacts. `reserved`: reserved for the number, but not visible yet. */
export const USERNAME_STATUSES = ['approved', 'reserved'] as const;
export type UsernameStatus = (typeof USERNAME_STATUSES)[number];

export class GetNumberUsernameCommand {
  @IsString() accountId: string;
  @IsString() @IsPhone() phoneNumber: string;
}

export class NumberUsernameReply {
  @IsString() phoneNumber: string;
  /** Without the @; null if the number has none. */
  @IsOptional() @IsString() username: string | null;
  /** Null without a user name, or for a status unknown here. */
  @IsOptional() @IsIn(USERNAME_STATUSES) status: UsernameStatus | null;
}

const sample: NumberUsernameReply = { phoneNumber: '15550783881', username: 'switchboard.demo', status: 'approved' };
const number = { accountId: 'acc_01jd0000000000000000000000', phoneNumber: '15550783881' };

/** Errors: NOT_FOUND (no such number), and those of the upstream platform. */
export const getNumberUsernameV1 = command({
  name: 'messaging.get-number-username.v1',
  owner: 'messaging',
  description: 'Reads the user name of a business number from the upstream platform.',
  request: GetNumberUsernameCommand,
  response: NumberUsernameReply,
  changes: false,
  timeoutMs: 15_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: { request: number, response: sample },
});

export class SetNumberUsernameCommand {
  @IsString() accountId: string;
  @IsString() @IsPhone() phoneNumber: string;
  /** Absent or null deletes the user name. */
  @IsOptional() @Matches(BUSINESS_USERNAME_PATTERN, { message: BUSINESS_USERNAME_FAULT }) username?: string | null;
}

/** Errors: NOT_FOUND (no such number), INVALID_VALUE (not available), and others of the upstream platform. */
export const setNumberUsernameV1 = command({
  name: 'messaging.set-number-username.v1',
  owner: 'messaging',
  description: 'Sets or deletes the user name of a business number at the upstream platform. Safe to repeat.',
  request: SetNumberUsernameCommand,
  response: NumberUsernameReply,
  changes: true,
  timeoutMs: 15_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: { request: { ...number, username: 'switchboard.demo' }, response: sample },
});
