import { IsIn, IsOptional, IsString } from 'class-validator';
import { BodySchema, Doc, IsTime, ListOf, OrNull, PHONE_SCHEMA } from '../body-docs';
import { PageReply, PageRequest } from '../lists';
import { command, SMALL_COMMAND_BYTES } from '../message-contract';
import { IsPhone } from '../validation';

export const BLOCK_ACTIONS = ['block', 'unblock'] as const;
export type BlockAction = (typeof BLOCK_ACTIONS)[number];

export class ChangeBlockCommand {
  @IsString() accountId: string;
  @IsPhone() phone: string;
  /** Business number; the primary one when absent. */
  @IsOptional() @IsPhone() from?: string;
  @IsIn(BLOCK_ACTIONS) action: BlockAction;
}

/** State of the block between the contact and the business number. */
export class ChangeBlockReply {
  /** Contact's number, as given. */
  @IsString() phone: string;
  /** Business number. */
  @IsString() phoneNumber: string;
  /**
   * Time at which the account blocked the contact, or the block was first seen on the platform's list; null if not
   * blocked.
   */
  @IsOptional() @IsString() blockedAt: string | null;
}

/**
 * Errors: INVALID_PARAMETER (no such number), NUMBER_STOPPED, WINDOW_CLOSED (the contact did not write within 24
 * hours), INVALID_VALUE (the list is full), and those of the upstream platform.
 */
export const changeBlockV1 = command({
  name: 'messaging.change-block.v1',
  owner: 'messaging',
  description:
    "Puts a person on the upstream platform's block list of one business number, or takes them off it. A repeat does no harm.",
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
 * Contact that a business number blocks at the upstream platform. An opt-out, in contrast, is enforced by this service.
 */
@BodySchema({ name: 'Block' })
export class BlockRecord {
  @Doc('The blocked person', PHONE_SCHEMA) @IsString() phone: string;
  @Doc('What you call them, or else their profile name; null for somebody you have no contact of')
  @OrNull()
  @IsString()
  name: string | null;
  @OrNull() @IsString() contactId: string | null;
  @Doc('The business number of yours that blocks them', PHONE_SCHEMA) @IsString() phoneNumber: string;
  @Doc("When you blocked them here, or when the service first saw them in the platform's list")
  @IsTime()
  blockedAt: string;
}

export class ListBlocksReply extends PageReply {
  @ListOf(() => BlockRecord) blocks: BlockRecord[];
}

export const blockSample: BlockRecord = {
  phone: '919812345678',
  name: 'Asha R',
  contactId: 'ct_01jd0000000000000000000000',
  phoneNumber: '15550783881',
  blockedAt: '2026-03-02T10:16:05.000Z',
};

export class ListBlocksCommand extends PageRequest {}

export const listBlocksV1 = command({
  name: 'messaging.list-blocks.v1',
  owner: 'messaging',
  description: "One page of the people whom an account's numbers block at the upstream platform, newest first.",
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
