import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  EstimateSendsCommand,
  type EstimateSendsReply,
  estimateSendsV1,
  GetSendingCapacityCommand,
  type GetSendingCapacityReply,
  getSendingCapacityV1,
} from '@switchboard/contracts';
import { EstimatesService } from './estimates.service';

@Controller()
export class EstimatesController {
  constructor(private readonly estimates: EstimatesService) {}

  @CommandHandler(estimateSendsV1)
  estimateSends(@Payload() command: EstimateSendsCommand): Promise<EstimateSendsReply> {
    return this.estimates.estimateSends(command);
  }

  @CommandHandler(getSendingCapacityV1)
  getSendingCapacity(@Payload() command: GetSendingCapacityCommand): Promise<GetSendingCapacityReply> {
    return this.estimates.capacityOf(command);
  }
}
