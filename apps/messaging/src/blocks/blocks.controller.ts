import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type Delivery, CommandHandler } from '@switchboard/broker';
import {
  ChangeBlockCommand,
  type ChangeBlockReply,
  changeBlockV1,
  ListBlocksCommand,
  type ListBlocksReply,
  listBlocksV1,
} from '@switchboard/contracts';
import { BlocksService } from './blocks.service';

@Controller()
export class BlocksController {
  constructor(private readonly blocks: BlocksService) {}

  @CommandHandler(changeBlockV1)
  changeBlock(@Payload() command: ChangeBlockCommand, @Ctx() delivery: Delivery): Promise<ChangeBlockReply> {
    return this.blocks.changeBlock(command, delivery.deadline);
  }

  @CommandHandler(listBlocksV1)
  listBlocks(@Payload() command: ListBlocksCommand): Promise<ListBlocksReply> {
    return this.blocks.listBlocks(command);
  }
}
