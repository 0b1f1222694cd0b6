import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import { RunJobRetentionCommand, type RunJobRetentionReply, runJobRetentionV1 } from '@switchboard/contracts';
import { RetentionService } from './retention.service';

@Controller()
export class RetentionController {
  constructor(private readonly retention: RetentionService) {}

  @CommandHandler(runJobRetentionV1)
  runRetention(@Payload() command: RunJobRetentionCommand): Promise<RunJobRetentionReply> {
    return this.retention.runStep(command);
  }
}
