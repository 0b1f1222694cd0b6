import { IsIn, IsOptional, IsString } from 'class-validator';
import { ListOf } from '../body-docs';
import { PageReply, PageRequest } from '../lists';
import { command, SMALL_COMMAND_BYTES } from '../message-contract';
import { IsPhone, IsRecipient } from '../validation';

export const BLOCK_ACTIONS = ['block', 'unblock'] as const;
export type BlockAction = (typeof BLOCK_ACTIONS)[number];

export class ChangeBlockCommand {
  @IsString() accountId: string;
  /** Phone number or user id. */
  @IsRecipient() phone: string;
  /** Business number that blocks the contact; defaults to the primary one. */
  @IsOptional() @IsPhone() from?: string;
  @IsIn(BLOCK_ACTIONS) action: BlockAction;
}

/** Whether a business number blocks a contact. */
export class ChangeBlockReply {
  /** Contact's number or user id, as given by the caller. */
  @IsString() phone: string;
  @IsString() phoneNumber: string;
  /**
   * Time at which the account blocked the contact, or at which the block first appeared on the platform's list; null if
   * not blocked.
   */
  @IsOptional() @IsString() blockedAt: string | null;
}

/**
 * Errors: INVALID_PARAMETER (no such number), NUMBER_STOPPED, WINDOW_CLOSED (the contact has not written within 24
 * hours), INVALID_VALUE (the list is full), and upstream errors.
 */
export const changeBlockV1 = command({
  name: 'messaging.change-block.v1',
  owner: 'messaging',
  description:
    "Adds a contact to the upstream platform's block list of a business number, or removes them from it. Safe to repeat.",
  request: ChangeBlockCommand,
  response: ChangeBlockReply,
  changes: true,
  timeoutMs: 15_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      phone: '919812345678',
      from: '15550783881',
      action: 'block',
    },
    response: { phone: '919812345678', phoneNumber: '15550783881', blockedAt: '2026-03-02T10:16:05.000Z' },
  },
});

/**
 * Contact blocked by a business number at the upstream platform. An opt-out, in contrast, is enforced by this service.
 */
export class BlockRecord {
  /** Phone number, or the user id of a contact with a hidden number. */
  @IsString() phone: string;
  /** User id of the contact, if it is known. */
  @IsOptional() @IsString() userId?: string | null;
  /** Name of the contact; null for someone who is not a contact. */
  @IsOptional() @IsString() name: string | null;
  @IsOptional() @IsString() contactId: string | null;
  @IsString() phoneNumber: string;
  /** Time at which the account blocked the contact, or at which the block first appeared on the platform's list. */
  @IsString() blockedAt: string;
}

export class ListBlocksReply extends PageReply {
  @ListOf(() => BlockRecord) blocks: BlockRecord[];
}

export const blockSample: BlockRecord = {
  phone: '919812345678',
  userId: null,
  name: 'Asha R',
  contactId: 'ct_01jd0000000000000000000000',
  phoneNumber: '15550783881',
  blockedAt: '2026-03-02T10:16:05.000Z',
};

export class ListBlocksCommand extends PageRequest {}

export const listBlocksV1 = command({
  name: 'messaging.list-blocks.v1',
  owner: 'messaging',
  description:
    "Returns one page of the contacts that an account's numbers block at the upstream platform, newest first.",
  request: ListBlocksCommand,
  response: ListBlocksReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', page: 1, limit: 20 },
    response: { blocks: [blockSample], total: 1, totalIsExact: true, hasNext: false, nextCursor: null },
  },
});
