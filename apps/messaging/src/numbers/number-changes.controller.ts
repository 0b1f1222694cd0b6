import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { HandlesEvent } from '@switchboard/broker';
import { UpstreamNumberChangedV1, upstreamNumberChangedV1 } from '@switchboard/contracts';
import { NumberPollService } from './number-poll.service';

@Controller()
export class NumberChangesController {
  constructor(private readonly poll: NumberPollService) {}

  @HandlesEvent(upstreamNumberChangedV1)
  noteChange(@Payload() change: UpstreamNumberChangedV1): Promise<void> {
    return this.poll.noteChange(change);
  }
}
