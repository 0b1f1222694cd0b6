import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Answer,
  AppHistory,
  BodySchema,
  BUSINESS_USERNAME_FAULT,
  BUSINESS_USERNAME_PATTERN,
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
  type NumberUsernameReply,
  OrNull,
  USERNAME_STATUSES,
  type UsernameStatus,
} from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import { IsBoolean, IsIn, IsInt, IsString, Matches } from 'class-validator';
import { Roles } from '../decorators/roles.decorator';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { NumberConnections } from './number-connections';
import { NumberUsernames } from './number-usernames';
import { requireId } from '../http/path-ids';
import { CursorQuery } from '../pagination/page-query';
import { ApiAnswer, ApiBodies, ApiCursorPaging, ApiRefusals, type Success } from '../openapi/decorators';

class BusinessNumber {
  @IsString() id: string;
  @IsString() phoneNumber: string;
  @Doc('Whether this is the primary number, which sends requests that specify no number')
  @IsBoolean()
  isPrimary: boolean;
  @Doc('Status reported by the platform, or `STOPPED` while sending is stopped') @IsString() status: string;
  @Doc('Reason for the stop, as reported by the platform') @OrNull() @IsString() stoppedReason: string | null;
  @Doc('GREEN, YELLOW, RED, NA or UNKNOWN; null if the platform has not reported it')
  @OrNull()
  @IsString()
  qualityRating: string | null;
  @Doc(
    'Messaging limit: maximum contacts with whom the business can start a conversation within 24 hours, such as TIER_10K',
  )
  @OrNull()
  @IsString()
  messagingLimit: string | null;
  @Doc('Business portfolio whose numbers share the messaging limit; null until the platform reports it')
  @OrNull()
  @IsString()
  portfolioId: string | null;
  @Doc('STANDARD or HIGH') @OrNull() @IsString() throughput: string | null;
  @Doc('Display name that contacts see; null until the platform reports it', { example: 'Asha Traders' })
  @OrNull()
  @IsString()
  displayName: string | null;
  @Doc('Time of the last report from the platform, accurate to the minute')
  @OrNull()
  @IsTime()
  lastCallbackAt: string | null;
  @Doc('Current restrictions of the business at the platform')
  @ListOf(() => NumberRestriction)
  restrictions: NumberRestriction[];
  @Doc('`disabled` or `disable_scheduled` by the platform; null otherwise')
  @OrNull()
  @IsString()
  businessState: string | null;
  @Doc('Last decision on the display name that the platform reported')
  @OrNull()
  @Nested(() => NameDecision)
  nameDecision: NameDecision | null;
  @Doc("Progress of importing earlier messages from the number's phone app; null if the platform has sent none")
  @OrNull()
  @Nested(() => AppHistory)
  appHistory: AppHistory | null;
}

@Answer({ name: 'BusinessNumbers' })
class NumbersAnswer {
  @Doc('Business numbers, primary first') @ListOf(() => BusinessNumber) numbers: BusinessNumber[];
}

@Answer({ name: 'BusinessNumberAnswer' })
class NumberAnswer {
  @Nested(() => BusinessNumber) number: BusinessNumber;
  @Doc(
    'Contacts with whom the numbers of the portfolio can still start conversations now, under the messaging limit; null if the limit is unlimited or unknown',
  )
  @OrNull()
  @IsInt()
  contactsLeft: number | null;
  @Doc('The messaging limit as a number of contacts; null if it is unlimited or unknown')
  @OrNull()
  @IsInt()
  contactLimit: number | null;
}

@Answer({ name: 'NumberHistory' })
class HistoryAnswer {
  @Doc('Changes, newest first; the oldest one is the state in which the number was added')
  @ListOf(() => NumberChange)
  changes: NumberChange[];
  @OrNull() @IsString() nextCursor: string | null;
}

@Answer({ name: 'NumberConnection' })
class ConnectionAnswer {
  @Doc('Checks in order. A check may depend on earlier ones; checks that depend on a missing one are omitted')
  @ListOf(() => ConnectionCheck)
  checks: ConnectionCheck[];
}

@Answer({ name: 'NumberUsername' })
class UsernameAnswer {
  @Doc('User name of the number on the platform, without the @; null if it has none', { example: 'switchboard.demo' })
  @OrNull()
  @IsString()
  username: string | null;
  @Doc('`approved`: visible to contacts. `reserved`: reserved for the number, but not visible yet')
  @OrNull()
  @IsIn(USERNAME_STATUSES)
  status: UsernameStatus | null;
}

@BodySchema({ name: 'UsernameChange', example: () => ({ username: 'switchboard.demo' }) })
class UsernameBody {
  @Doc('3 to 35 letters, digits, dots and underscores, without the @')
  @IsString()
  @Matches(BUSINESS_USERNAME_PATTERN, { message: BUSINESS_USERNAME_FAULT })
  username: string;
}

/** Errors of the platform for user names. */
const USERNAME_ERRORS = ['NOT_FOUND', 'UPSTREAM_ERROR', 'UPSTREAM_THROTTLED', 'UPSTREAM_TIMEOUT'] as const;

/** Maximum age of a cached check in seconds. The platform limits such requests, so repeated views share a result. */
const CONNECTION_AGE_SECONDS = 60;

@ApiTags('Numbers')
@Controller('console/v1/numbers')
export class ConsoleNumbersController {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly connections: NumberConnections,
    private readonly usernames: NumberUsernames,
  ) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({ operationId: 'listNumbers', summary: 'List business numbers with their health' })
  @ApiAnswer(NumbersAnswer)
  @ApiRefusals()
  async list(@SignedIn() { account }: ConsoleUser): Promise<Success<NumbersAnswer>> {
    const { numbers } = await this.messaging.listNumbers({ accountId: account.id });
    return { success: true, numbers: numbers.map(shown) };
  }

  @Get(':numberId')
  @Roles('viewer')
  @ApiOperation({ operationId: 'getNumber', summary: 'Retrieve a business number with its health' })
  @ApiAnswer(NumberAnswer)
  @ApiRefusals('NOT_FOUND')
  async show(@SignedIn() { account }: ConsoleUser, @Param('numberId') given: string): Promise<Success<NumberAnswer>> {
    const number = await this.findNumber(account.id, given);
    const { numbers } = await this.messaging.getSendingCapacity({
      accountId: account.id,
      numbers: [number.phoneNumber],
      at: new Date().toISOString(),
    });
    const { remaining = null, messagingLimit = null } = numbers[0] ?? {};
    return { success: true, number: shown(number), contactsLeft: remaining, contactLimit: messagingLimit };
  }

  @Get(':numberId/connection')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getNumberConnection',
    summary: 'Check the setup of a business number for sending and receiving, with remedies for what is missing',
    description: 'Queries the upstream platform at most once a minute for each number.',
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

  @Get(':numberId/username')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getNumberUsername',
    summary: 'Retrieve the user name of a business number from the platform',
  })
  @ApiAnswer(UsernameAnswer)
  @ApiRefusals(...USERNAME_ERRORS, 'INVALID_PARAMETER')
  async username(
    @SignedIn() { account }: ConsoleUser,
    @Param('numberId') given: string,
  ): Promise<Success<UsernameAnswer>> {
    const { phoneNumber } = await this.findNumber(account.id, given);
    return shownUsername(await this.usernames.read(account.id, phoneNumber));
  }

  @Post(':numberId/username')
  @HttpCode(200)
  @Roles('admin')
  @ApiOperation({
    operationId: 'setNumberUsername',
    summary: 'Set or change the user name of a business number',
    description: 'The platform decides which user names are available to the business. Safe to repeat.',
  })
  @ApiBodies({ json: UsernameBody })
  @ApiAnswer(UsernameAnswer)
  @ApiRefusals('MISSING_FIELD', 'INVALID_PARAMETER', 'INVALID_VALUE', ...USERNAME_ERRORS)
  setUsername(
    @SignedIn() user: ConsoleUser,
    @Param('numberId') given: string,
    @Body() { username }: UsernameBody,
  ): Promise<Success<UsernameAnswer>> {
    return this.changeUsername(user, given, username);
  }

  @Delete(':numberId/username')
  @Roles('admin')
  @ApiOperation({ operationId: 'deleteNumberUsername', summary: 'Delete the user name of a business number' })
  @ApiAnswer(UsernameAnswer)
  @ApiRefusals('INVALID_PARAMETER', ...USERNAME_ERRORS)
  deleteUsername(@SignedIn() user: ConsoleUser, @Param('numberId') given: string): Promise<Success<UsernameAnswer>> {
    return this.changeUsername(user, given, null);
  }

  @Get(':numberId/history')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'listNumberHistory',
    summary: "List changes to a business number's quality, limit, throughput and status, newest first",
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

  private async changeUsername(
    user: ConsoleUser,
    given: string,
    username: string | null,
  ): Promise<Success<UsernameAnswer>> {
    const { phoneNumber } = await this.findNumber(user.account.id, given);
    return shownUsername(await this.usernames.change(changeBy(user), phoneNumber, username));
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

function shownUsername({ username, status }: NumberUsernameReply): Success<UsernameAnswer> {
  return { success: true, username, status };
}

function shown({
  id,
  phoneNumber,
  qualityRating,
  messagingLimit,
  portfolioId = null,
  status,
  stoppedReason = null,
  isPrimary = false,
  throughput = null,
  displayName = null,
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
    portfolioId,
    throughput,
    displayName,
    lastCallbackAt,
    restrictions,
    businessState,
    nameDecision,
    appHistory,
  };
}
