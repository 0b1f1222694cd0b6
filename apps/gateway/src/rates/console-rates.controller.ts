import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answer, Doc, ListOf, RateRecord } from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import { IsInt } from 'class-validator';
import { Roles } from '../decorators/roles.decorator';
import { ApiAnswer, ApiRefusals, type Success } from '../openapi/decorators';

@Answer({ name: 'RateCard' })
class RateCardAnswer {
  @Doc('Rates in force today, in UTC, by market and category') @ListOf(() => RateRecord) rates: RateRecord[];
  @Doc('Number of rates of the card, of all days') @IsInt() total: number;
}

@ApiTags('Account')
@Controller('console/v1/rates')
export class ConsoleRatesController {
  constructor(private readonly messaging: MessagingClient) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getRateCard',
    summary: "Retrieve today's rates of the installation's rate card",
    description: 'All accounts share the rate card, which the operator of the installation imports.',
  })
  @ApiAnswer(RateCardAnswer)
  @ApiRefusals()
  async show(): Promise<Success<RateCardAnswer>> {
    const on = new Date().toISOString().slice(0, 10);
    return { success: true, ...(await this.messaging.listRates({ on })) };
  }
}
