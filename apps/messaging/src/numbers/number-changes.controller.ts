import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { EventHandler } from '@switchboard/broker';
import { UpstreamNumberChangedV1, upstreamNumberChangedV1 } from '@switchboard/contracts';
import { NoticesService } from '../notices/notices.service';
import { NumberPollService } from './number-poll.service';

@Controller()
export class NumberChangesController {
  constructor(
    private readonly poll: NumberPollService,
    private readonly notices: NoticesService,
  ) {}

  @EventHandler(upstreamNumberChangedV1)
  async recordChange(@Payload() change: UpstreamNumberChangedV1): Promise<void> {
    await this.notices.recordChange(change);
    await this.poll.recordChange(change);
  }
}
