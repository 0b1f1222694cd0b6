import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { HandlesCommand } from '@switchboard/broker';
import { OtpErasePersonCommand, type OtpErasePersonReply, otpErasePersonV1 } from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { countRowsAbout, eraseRowsAbout } from './erase.queries';

@Controller()
export class EraseController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  @HandlesCommand(otpErasePersonV1)
  async erasePerson(@Payload() { accountId, phones, dryRun }: OtpErasePersonCommand): Promise<OtpErasePersonReply> {
    if (dryRun) return { rows: await countRowsAbout(this.dataSource, accountId, phones), done: true };
    return this.transactions.run((tx) => eraseRowsAbout(tx, accountId, phones));
  }
}
