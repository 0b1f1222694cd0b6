import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { HandlesCommand } from '@switchboard/broker';
import { ErasePersonCommand, type ErasePersonReply, erasePersonV1 } from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { countEventsAbout, ERASE_LIMIT, eraseEventsAbout } from './erase.queries';

@Controller()
export class EraseController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  @HandlesCommand(erasePersonV1)
  async erasePerson(
    @Payload() { accountId, phone, alsoKnownAs = [], dryRun }: ErasePersonCommand,
  ): Promise<ErasePersonReply> {
    const names = [phone, ...alsoKnownAs];
    if (dryRun) return { events: await countEventsAbout(this.dataSource, accountId, names), done: true };
    const events = await this.transactions.run((tx) => eraseEventsAbout(tx, accountId, names));
    return { events, done: events < ERASE_LIMIT };
  }
}
