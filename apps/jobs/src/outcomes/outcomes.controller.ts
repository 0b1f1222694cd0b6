import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { EventHandler } from '@switchboard/broker';
import { JobMessagesChangedV1, jobMessagesChangedV1 } from '@switchboard/contracts';
import { OutcomesService } from './outcomes.service';

@Controller()
export class OutcomesController {
  constructor(private readonly outcomes: OutcomesService) {}

  @EventHandler(jobMessagesChangedV1)
  messagesChanged(@Payload() event: JobMessagesChangedV1): Promise<void> {
    return this.outcomes.apply(event);
  }
}
