import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type Delivery, CommandHandler } from '@switchboard/broker';
import { MarkReadCommand, type MarkReadReply, markReadV1 } from '@switchboard/contracts';
import { ReceiptsService } from './receipts.service';

@Controller()
export class ReceiptsController {
  constructor(private readonly receipts: ReceiptsService) {}

  @CommandHandler(markReadV1)
  markRead(@Payload() command: MarkReadCommand, @Ctx() delivery: Delivery): Promise<MarkReadReply> {
    return this.receipts.markRead(command, delivery.deadline);
  }
}
