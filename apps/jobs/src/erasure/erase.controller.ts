import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { HandlesCommand } from '@switchboard/broker';
import { JobsErasePersonCommand, type JobsErasePersonReply, jobsErasePersonV1 } from '@switchboard/contracts';
import { EraseService } from './erase.service';

@Controller()
export class EraseController {
  constructor(private readonly erasure: EraseService) {}

  @HandlesCommand(jobsErasePersonV1)
  erasePerson(@Payload() command: JobsErasePersonCommand): Promise<JobsErasePersonReply> {
    return this.erasure.erase(command);
  }
}
