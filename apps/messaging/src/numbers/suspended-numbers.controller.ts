import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler, EventHandler } from '@switchboard/broker';
import {
  NumberCredentialsChangedV1,
  numberCredentialsChangedV1,
  ResumeNumberCommand,
  type ResumeNumberReply,
  resumeNumberV1,
} from '@switchboard/contracts';
import { NumberCache } from './number-cache';
import { SuspendedNumbers } from './suspended-numbers';

@Controller()
export class SuspendedNumbersController {
  constructor(
    private readonly suspendedNumbers: SuspendedNumbers,
    private readonly numbers: NumberCache,
  ) {}

  @CommandHandler(resumeNumberV1)
  resumeNumber(@Payload() command: ResumeNumberCommand): Promise<ResumeNumberReply> {
    return this.suspendedNumbers.resumeNumber(command);
  }

  /** Runs on every replica. */
  @EventHandler(numberCredentialsChangedV1)
  evict(@Payload() { accountId }: NumberCredentialsChangedV1): void {
    this.numbers.evict(accountId);
  }
}
