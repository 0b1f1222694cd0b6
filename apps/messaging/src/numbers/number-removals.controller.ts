import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler, EventHandler } from '@switchboard/broker';
import {
  NumberRemovedV1,
  numberRemovedV1,
  RemoveNumberCommand,
  type RemoveNumberReply,
  removeNumberV1,
} from '@switchboard/contracts';
import { NumberCache } from './number-cache';
import { NumberRemovals } from './number-removals';
import { OwnerCache } from './owner-cache';

@Controller()
export class NumberRemovalsController {
  constructor(
    private readonly removals: NumberRemovals,
    private readonly numbers: NumberCache,
    private readonly owners: OwnerCache,
  ) {}

  @CommandHandler(removeNumberV1)
  removeNumber(@Payload() command: RemoveNumberCommand): Promise<RemoveNumberReply> {
    return this.removals.removeNumber(command);
  }

  /** Runs on every replica. */
  @EventHandler(numberRemovedV1)
  evict(@Payload() { accountId, phoneNumberId }: NumberRemovedV1): void {
    this.numbers.evict(accountId);
    this.owners.evict(phoneNumberId);
  }
}
