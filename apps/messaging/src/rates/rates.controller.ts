import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  ImportRatesCommand,
  type ImportRatesReply,
  importRatesV1,
  ListRatesCommand,
  type ListRatesReply,
  listRatesV1,
} from '@switchboard/contracts';
import { RatesService } from './rates.service';

@Controller()
export class RatesController {
  constructor(private readonly rates: RatesService) {}

  @CommandHandler(listRatesV1)
  listRates(@Payload() { on }: ListRatesCommand): Promise<ListRatesReply> {
    return this.rates.list(on);
  }

  @CommandHandler(importRatesV1)
  importRates(@Payload() { rates, replace }: ImportRatesCommand): Promise<ImportRatesReply> {
    return this.rates.import(rates, replace);
  }
}
