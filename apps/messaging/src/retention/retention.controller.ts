import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  EraseContactCommand,
  type EraseContactReply,
  eraseContactV1,
  maskPhone,
  RunRetentionCommand,
  type RunRetentionReply,
  runRetentionV1,
} from '@switchboard/contracts';
import { LOGGER, type Logger } from '@switchboard/platform';
import { RetentionService } from './retention.service';

@Controller()
export class RetentionController {
  constructor(
    private readonly retention: RetentionService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @CommandHandler(runRetentionV1)
  async runRetention(@Payload() command: RunRetentionCommand): Promise<RunRetentionReply> {
    const reply = await this.retention.runStep(command);
    this.logger.info({ ...command, ...reply }, 'retention.progressed');
    return reply;
  }

  @CommandHandler(eraseContactV1)
  async eraseContact(@Payload() command: EraseContactCommand): Promise<EraseContactReply> {
    const { accountId, phone, dryRun } = command;
    const reply = await this.retention.eraseStep(command);
    this.logger.info({ accountId, phone: maskPhone(phone), dryRun, ...reply }, 'contact.erase-progressed');
    return reply;
  }
}
