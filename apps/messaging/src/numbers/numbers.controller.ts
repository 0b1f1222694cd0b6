import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  AddNumberCommand,
  type AddNumberReply,
  addNumberV1,
  ListNumbersCommand,
  type ListNumbersReply,
  listNumbersV1,
} from '@switchboard/contracts';
import { NumbersService } from './numbers.service';

@Controller()
export class NumbersController {
  constructor(private readonly numbers: NumbersService) {}

  @CommandHandler(addNumberV1)
  addNumber(@Payload() command: AddNumberCommand): Promise<AddNumberReply> {
    return this.numbers.addNumber(command);
  }

  @CommandHandler(listNumbersV1)
  async listNumbers(@Payload() { accountId }: ListNumbersCommand): Promise<ListNumbersReply> {
    return { numbers: await this.numbers.listNumbers(accountId) };
  }
}
