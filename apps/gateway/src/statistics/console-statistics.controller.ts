import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Answer,
  DeliveryFigures,
  Doc,
  type StatisticsSpanCommand,
  type StatisticsUnit,
  IsTime,
  ListOf,
  MAX_FIGURE_DAYS,
  MAX_FIGURE_HOURS,
  MessageFigures,
  Nested,
  PriceFigures,
} from '@switchboard/contracts';
import { MessagingClient, OtpClient, WebhooksClient } from '@switchboard/service-clients';
import { IsInt, IsOptional } from 'class-validator';
import { Roles } from '../decorators/roles.decorator';
import { CreditsService } from '../accounts/credits.service';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { IsWholeNumber } from '../pagination/query-rules';
import { ApiAnswer, ApiFilter, ApiRefusals, type Success } from '../openapi/decorators';
import { startsOf } from './statistics-times';

const DEFAULT_DAYS = 14;
const DEFAULT_HOURS = 24;
const NO_MESSAGES: MessageFigures = { received: 0, accepted: 0, sent: 0, delivered: 0, read: 0, failed: 0 };
const NO_DELIVERIES: DeliveryFigures = { delivered: 0, dropped: 0 };
const NO_CODES = { sent: 0, failed: 0, verified: 0, refused: 0 };
const NO_CREDITS = { given: 0, spent: 0, returned: 0 };

class CodeFigures {
  @Doc('Accepted by the upstream platform') @IsInt() sent: number;
  @IsInt() failed: number;
  @IsInt() verified: number;
  @Doc('Failed attempts: wrong, expired, used or locked out') @IsInt() refused: number;
}

class CreditFigures {
  @Doc('Granted by the plan and added manually') @IsInt() given: number;
  @Doc('Reserved for sends') @IsInt() spent: number;
  @Doc('Returned because a message was not sent or not delivered') @IsInt() returned: number;
}

class FiguresOfHour {
  @Doc('Start of the hour') @IsTime() at: string;
  @Nested(() => MessageFigures) messages: MessageFigures;
  @Nested(() => DeliveryFigures) deliveries: DeliveryFigures;
}

class FiguresOfDay {
  @Doc('Start of the day, in UTC') @IsTime() at: string;
  @Nested(() => MessageFigures) messages: MessageFigures;
  @Nested(() => DeliveryFigures) deliveries: DeliveryFigures;
  @Nested(() => CodeFigures) codes: CodeFigures;
  @Nested(() => CreditFigures) credits: CreditFigures;
}

@Answer({ name: 'HourlyFigures' })
class HoursAnswer {
  @Doc('Hours, oldest first; the last one is in progress') @ListOf(() => FiguresOfHour) hours: FiguresOfHour[];
}

@Answer({ name: 'DailyFigures' })
class DaysAnswer {
  @Doc('Days, oldest first; the last one is today') @ListOf(() => FiguresOfDay) days: FiguresOfDay[];
}

class PricesOfPeriod {
  @Doc('Start of the hour or day; days are in UTC') @IsTime() at: string;
  @Doc('One entry per pricing of the messages in this period')
  @ListOf(() => PriceFigures)
  prices: PriceFigures[];
}

@Answer({ name: 'PricesByPeriod' })
class PricesAnswer {
  @Doc('Hours or days, oldest first; the last one is in progress')
  @ListOf(() => PricesOfPeriod)
  periods: PricesOfPeriod[];
}

class DaysQuery {
  @IsOptional() @IsWholeNumber({ least: 1, most: MAX_FIGURE_DAYS }) days = DEFAULT_DAYS;
}

class HoursQuery {
  @IsOptional() @IsWholeNumber({ least: 1, most: MAX_FIGURE_HOURS }) hours = DEFAULT_HOURS;
}

const PRICES_NOTE =
  'A message counts in the hour and on the day it was created, under the first pricing that the platform reported, and once it has reported one. Deleted messages remain counted.';

@ApiTags('Account')
@Controller('console/v1/figures')
export class ConsoleStatisticsController {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly otp: OtpClient,
    private readonly webhooks: WebhooksClient,
    private readonly credits: CreditsService,
  ) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getDailyFigures',
    summary: 'Retrieve the number of messages, deliveries, one-time codes and credits per day',
    description:
      'A message counts on the day it was created, under its current status, as in the lists. Deleted messages remain counted.',
  })
  @ApiFilter(
    'days',
    { type: 'integer', minimum: 1, maximum: MAX_FIGURE_DAYS, default: DEFAULT_DAYS },
    'Number of days up to today, in UTC',
  )
  @ApiAnswer(DaysAnswer)
  @ApiRefusals()
  async daily(@SignedIn() { account }: ConsoleUser, @Query() { days }: DaysQuery): Promise<Success<DaysAnswer>> {
    const [shared, codes, credits] = await Promise.all([
      this.sharedStatistics(account.id, 'day', days),
      this.otp.getFigures({ accountId: account.id, days }),
      withinDatabaseDeadline(this.credits.daysOf(account.id, days)),
    ]);
    const codesOf = new Map(
      codes.days.map(({ day, sent, failed, verified, refused }) => [day, { sent, failed, verified, refused }]),
    );
    const creditsOf = new Map(credits.map(({ day, ...amounts }) => [day, amounts]));
    return {
      success: true,
      days: shared.map((figures) => {
        const day = figures.at.slice(0, 10);
        return { ...figures, codes: codesOf.get(day) ?? NO_CODES, credits: creditsOf.get(day) ?? NO_CREDITS };
      }),
    };
  }

  @Get('hours')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getHourlyFigures',
    summary: 'Retrieve the number of messages and deliveries per hour',
  })
  @ApiFilter(
    'hours',
    { type: 'integer', minimum: 1, maximum: MAX_FIGURE_HOURS, default: DEFAULT_HOURS },
    'Number of hours up to the current one',
  )
  @ApiAnswer(HoursAnswer)
  @ApiRefusals()
  async hourly(@SignedIn() { account }: ConsoleUser, @Query() { hours }: HoursQuery): Promise<Success<HoursAnswer>> {
    return { success: true, hours: await this.sharedStatistics(account.id, 'hour', hours) };
  }

  @Get('prices')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getDailyPrices',
    summary: 'Retrieve the number of messages per day and pricing',
    description: PRICES_NOTE,
  })
  @ApiFilter(
    'days',
    { type: 'integer', minimum: 1, maximum: MAX_FIGURE_DAYS, default: DEFAULT_DAYS },
    'Number of days up to today, in UTC',
  )
  @ApiAnswer(PricesAnswer)
  @ApiRefusals()
  dailyPrices(@SignedIn() { account }: ConsoleUser, @Query() { days }: DaysQuery): Promise<Success<PricesAnswer>> {
    return this.pricesOf({ accountId: account.id, unit: 'day', count: days });
  }

  @Get('prices/hours')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getHourlyPrices',
    summary: 'Retrieve the number of messages per hour and pricing',
    description: PRICES_NOTE,
  })
  @ApiFilter(
    'hours',
    { type: 'integer', minimum: 1, maximum: MAX_FIGURE_HOURS, default: DEFAULT_HOURS },
    'Number of hours up to the current one',
  )
  @ApiAnswer(PricesAnswer)
  @ApiRefusals()
  hourlyPrices(@SignedIn() { account }: ConsoleUser, @Query() { hours }: HoursQuery): Promise<Success<PricesAnswer>> {
    return this.pricesOf({ accountId: account.id, unit: 'hour', count: hours });
  }

  private async pricesOf(span: StatisticsSpanCommand): Promise<Success<PricesAnswer>> {
    const { figures } = await this.messaging.getPriceFigures(span);
    const periods = startsOf(span.unit, span.count, new Date()).map((at) => ({
      at,
      prices: figures.filter((one) => one.at === at).map(({ at: _at, ...price }) => price),
    }));
    return { success: true, periods };
  }

  /** Returns the statistics available by hour and by day, with zeros for empty periods. */
  private async sharedStatistics(
    accountId: string,
    unit: StatisticsUnit,
    count: number,
  ): Promise<{ at: string; messages: MessageFigures; deliveries: DeliveryFigures }[]> {
    const span = { accountId, unit, count };
    const [messages, deliveries] = await Promise.all([this.messaging.getFigures(span), this.webhooks.getFigures(span)]);
    const messagesOf = new Map(messages.figures.map(({ at, ...figures }) => [at, figures]));
    const deliveriesOf = new Map(deliveries.figures.map(({ at, ...figures }) => [at, figures]));
    return startsOf(unit, count, new Date()).map((at) => ({
      at,
      messages: messagesOf.get(at) ?? NO_MESSAGES,
      deliveries: deliveriesOf.get(at) ?? NO_DELIVERIES,
    }));
  }
}
