import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { CommandHandler, type Delivery } from '@switchboard/broker';
import {
  CountAudienceCommand,
  type CountAudienceReply,
  countAudienceV1,
  ListAudienceCommand,
  type ListAudienceReply,
  listAudienceV1,
} from '@switchboard/contracts';
import { AudienceService } from './audience.service';

@Controller()
export class AudienceController {
  constructor(private readonly audiences: AudienceService) {}

  @CommandHandler(listAudienceV1)
  listAudience(@Payload() command: ListAudienceCommand): Promise<ListAudienceReply> {
    return this.audiences.list(command);
  }

  @CommandHandler(countAudienceV1)
  countAudience(@Payload() command: CountAudienceCommand, @Ctx() { deadline }: Delivery): Promise<CountAudienceReply> {
    return this.audiences.count(command, deadline);
  }
}
