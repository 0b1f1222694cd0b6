import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Answer,
  AppHistory,
  ConnectionCheck,
  Doc,
  IsTime,
  ListOf,
  NameDecision,
  Nested,
  notFound,
  NumberChange,
  type NumberRecord,
  NumberRestriction,
  OrNull,
} from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import { IsBoolean, IsString } from 'class-validator';
import { Roles } from '../decorators/roles.decorator';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';
import { NumberConnections } from './number-connections';
import { requireId } from '../http/path-ids';
import { CursorQuery } from '../pagination/page-query';
import { ApiAnswer, ApiCursorPaging, ApiRefusals, type Success } from '../openapi/decorators';

class BusinessNumber {
  @IsString() id: string;
  @IsString() phoneNumber: string;
  @Doc('It sends what names no number') @IsBoolean() isPrimary: boolean;
  @Doc('What the platform calls it, or `STOPPED` while nothing is sent from it') @IsString() status: string;
  @Doc('Why it is stopped, in the words of the platform') @OrNull() @IsString() stoppedReason: string | null;
  @Doc('GREEN, YELLOW, RED, NA or UNKNOWN; null where the platform has told none')
  @OrNull()
  @IsString()
  qualityRating: string | null;
  @Doc('Such as TIER_10K: so many people may be written to first within 24 hours')
  @OrNull()
  @IsString()
  messagingLimit: string | null;
  @Doc('STANDARD or HIGH') @OrNull() @IsString() throughput: string | null;
  @Doc('When the platform last reported anything about it, to the minute')
  @OrNull()
  @IsTime()
  lastCallbackAt: string | null;
  @Doc('What the platform lets the business not do now')
  @ListOf(() => NumberRestriction)
  restrictions: NumberRestriction[];
  @Doc('`disabled` or `disable_scheduled` by the platform; null otherwise')
  @OrNull()
  @IsString()
  businessState: string | null;
  @Doc('The last decision about its name that the platform reported')
  @OrNull()
  @Nested(() => NameDecision)
  nameDecision: NameDecision | null;
  @Doc("How far the platform has told the earlier messages of the number's phone app; null where it told none")
  @OrNull()
  @Nested(() => AppHistory)
  appHistory: AppHistory | null;
}

@Answer({ name: 'BusinessNumbers' })
class NumbersAnswer {
  @Doc('The primary one first') @ListOf(() => BusinessNumber) numbers: BusinessNumber[];
}

@Answer({ name: 'BusinessNumberAnswer' })
class NumberAnswer {
  @Nested(() => BusinessNumber) number: BusinessNumber;
}

@Answer({ name: 'NumberHistory' })
class HistoryAnswer {
  @Doc('The newest first; the first one ever is what the number was like when it was added')
  @ListOf(() => NumberChange)
  changes: NumberChange[];
  @OrNull() @IsString() nextCursor: string | null;
}

@Answer({ name: 'NumberConnection' })
class ConnectionAnswer {
  @Doc(
    'In order: a check may depend on those before it. When one is missing, the list leaves out those that depend on it',
  )
  @ListOf(() => ConnectionCheck)
  checks: ConnectionCheck[];
}

/** Maximum age of a cached check. The platform limits such requests, so repeated views share a result. */
const CONNECTION_AGE_SECONDS = 60;

@ApiTags('Numbers')
@Controller('console/v1/numbers')
export class ConsoleNumbersController {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly connections: NumberConnections,
  ) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({ operationId: 'listNumbers', summary: 'List the business numbers with their health' })
  @ApiAnswer(NumbersAnswer)
  @ApiRefusals()
  async list(@SignedIn() { account }: ConsoleUser): Promise<Success<NumbersAnswer>> {
    const { numbers } = await this.messaging.listNumbers({ accountId: account.id });
    return { success: true, numbers: numbers.map(shown) };
  }

  @Get(':numberId')
  @Roles('viewer')
  @ApiOperation({ operationId: 'getNumber', summary: 'Get a business number with its health' })
  @ApiAnswer(NumberAnswer)
  @ApiRefusals('NOT_FOUND')
  async show(@SignedIn() { account }: ConsoleUser, @Param('numberId') given: string): Promise<Success<NumberAnswer>> {
    return { success: true, number: shown(await this.findNumber(account.id, given)) };
  }

  @Get(':numberId/connection')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getNumberConnection',
    summary: 'Get what a business number needs to send and to be heard, and what to do about what is missing',
    description: 'Asked of the upstream platform, at most once a minute for each number.',
  })
  @ApiAnswer(ConnectionAnswer)
  @ApiRefusals('NOT_FOUND', 'UPSTREAM_ERROR', 'UPSTREAM_THROTTLED', 'UPSTREAM_TIMEOUT')
  async connection(
    @SignedIn() { account }: ConsoleUser,
    @Param('numberId') given: string,
  ): Promise<Success<ConnectionAnswer>> {
    const { phoneNumber } = await this.findNumber(account.id, given);
    const look = { accountId: account.id, phoneNumber, maxAgeSeconds: CONNECTION_AGE_SECONDS };
    const { checks } = await this.connections.check(look);
    return { success: true, checks };
  }

  @Get(':numberId/history')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'listNumberHistory',
    summary: "List the changes of a business number's quality, limit, throughput and status, newest first",
  })
  @ApiCursorPaging()
  @ApiAnswer(HistoryAnswer)
  @ApiRefusals('NOT_FOUND')
  async history(
    @SignedIn() { account }: ConsoleUser,
    @Param('numberId') given: string,
    @Query() { limit, cursor }: CursorQuery,
  ): Promise<Success<HistoryAnswer>> {
    const { changes, nextCursor } = await this.messaging.listNumberChanges({
      accountId: account.id,
      numberId: requireId('num', given),
      limit,
      cursor,
    });
    return { success: true, changes, nextCursor };
  }

  /** @throws AppError NOT_FOUND */
  private async findNumber(accountId: string, given: string): Promise<NumberRecord> {
    const numberId = requireId('num', given);
    const { numbers } = await this.messaging.listNumbers({ accountId });
    const number = numbers.find(({ id }) => id === numberId);
    if (!number) throw notFound('number');
    return number;
  }
}

function shown({
  id,
  phoneNumber,
  qualityRating,
  messagingLimit,
  status,
  stoppedReason = null,
  isPrimary = false,
  throughput = null,
  lastCallbackAt = null,
  restrictions = [],
  businessState = null,
  nameDecision = null,
  appHistory = null,
}: NumberRecord): BusinessNumber {
  return {
    id,
    phoneNumber,
    isPrimary,
    status,
    stoppedReason,
    qualityRating,
    messagingLimit,
    throughput,
    lastCallbackAt,
    restrictions,
    businessState,
    nameDecision,
    appHistory,
  };
}
