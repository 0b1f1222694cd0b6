import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answer, AppError, BodySchema, Doc, IsTime, ListOf, Nested, OrNull } from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import { IsArray, IsBoolean, IsInt, IsOptional, IsString, MaxLength } from 'class-validator';
import { DataSource } from 'typeorm';
import { Roles } from '../decorators/roles.decorator';
import { AccountsService, requireAccount } from '../accounts/accounts.service';
import { CreditsService } from '../accounts/credits.service';
import { OverridesService } from '../accounts/overrides.service';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { ApiAnswer, ApiBodies, ApiRefusals, type Success } from '../openapi/decorators';
import { orDefault } from '../http/or-default';

class ShownAccount {
  @IsString() id: string;
  @IsString() name: string;
  @IsTime() createdAt: Date;
}

class PlanLimits {
  @Doc('Maximum recipients per bulk job') @IsInt() bulkRecipients: number;
  @Doc('Maximum rows per spreadsheet') @IsInt() excelRows: number;
  @Doc('Requests per window, for each API client') @IsInt() rateLimit: number;
  @IsInt() rateWindowSeconds: number;
  @Doc('Credits added at the start of each month') @IsInt() monthlyCredits: number;
}

class ShownPlan {
  @IsString() name: string;
  @IsArray() @IsString({ each: true }) features: string[];
  @Nested(() => PlanLimits) limits: PlanLimits;
}

class ShownCredits {
  @IsInt() utility: number;
}

class ShownNumber {
  @IsString() id: string;
  @IsString() phoneNumber: string;
  @OrNull() @IsString() qualityRating: string | null;
  @OrNull() @IsString() messagingLimit: string | null;
  @Doc('Status reported by the platform, or `STOPPED` while sending is stopped') @IsString() status: string;
  @Doc('Reason for the stop, as reported by the platform') @OrNull() @IsString() stoppedReason: string | null;
}

@Answer({ name: 'ConsoleAccountAnswer' })
class AccountAnswer {
  @Nested(() => ShownAccount) account: ShownAccount;
  @Doc("Effective plan: the account's plan plus its overrides") @Nested(() => ShownPlan) plan: ShownPlan;
  @Nested(() => ShownCredits) credits: ShownCredits;
  @Doc('Business numbers, primary first') @ListOf(() => ShownNumber) numbers: ShownNumber[];
}

const TIME_ZONE = 'IANA time zone in which the dashboard shows times to all users';

@BodySchema({ name: 'AccountChange', example: () => ({ timeZone: 'Asia/Kolkata' }) })
class AccountChangeBody {
  @Doc(TIME_ZONE) @IsOptional() @IsString() @MaxLength(64) timeZone?: string;
  @Doc("True: show times in the time zone of each user's browser; omit `timeZone`")
  @IsOptional()
  @IsBoolean()
  browserTimeZone?: boolean;
}

@Answer()
class AccountChangeAnswer {
  @Doc(`${TIME_ZONE}; null for that of each user's browser`) @OrNull() @IsString() timeZone: string | null;
}

@ApiTags('Account')
@Controller('console/v1')
export class ConsoleAccountController {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly dataSource: DataSource,
    private readonly accounts: AccountsService,
    private readonly overrides: OverridesService,
    private readonly credits: CreditsService,
  ) {}

  @Get('account')
  @Roles('viewer')
  @ApiOperation({ operationId: 'getAccount', summary: 'Retrieve the account with its plan, credits and numbers' })
  @ApiAnswer(AccountAnswer)
  @ApiRefusals()
  async show(@SignedIn() user: ConsoleUser): Promise<Success<AccountAnswer>> {
    const accountId = user.account.id;
    const [account, plan, credits, { numbers }] = await Promise.all([
      withinDatabaseDeadline(requireAccount(this.dataSource, accountId)),
      withinDatabaseDeadline(this.overrides.planOf(accountId)),
      withinDatabaseDeadline(this.credits.balancesOf(accountId)),
      this.messaging.listNumbers({ accountId }),
    ]);
    const { name, features, bulkRecipients, excelRows, rateLimit, rateWindowSeconds, monthlyCredits } = plan;
    const limits = { bulkRecipients, excelRows, rateLimit, rateWindowSeconds, monthlyCredits };
    return {
      success: true,
      account: { id: accountId, name: account.name, createdAt: account.createdAt },
      plan: { name, features, limits },
      credits,
      numbers: numbers.map(({ id, phoneNumber, qualityRating, messagingLimit, status, stoppedReason = null }) => ({
        id,
        phoneNumber,
        qualityRating,
        messagingLimit,
        status,
        stoppedReason,
      })),
    };
  }

  @Patch('account')
  @Roles('admin')
  @ApiOperation({ operationId: 'changeAccount', summary: 'Set the time zone of the account' })
  @ApiBodies({ json: AccountChangeBody })
  @ApiAnswer(AccountChangeAnswer)
  @ApiRefusals('MISSING_FIELD', 'INVALID_VALUE', 'TEXT_TOO_LONG')
  async change(
    @SignedIn() user: ConsoleUser,
    @Body() { timeZone, browserTimeZone }: AccountChangeBody,
  ): Promise<Success<AccountChangeAnswer>> {
    const changed = orDefault({ timeZone }, { browserTimeZone });
    if (changed === undefined) throw new AppError('MISSING_FIELD', { message: 'give timeZone or browserTimeZone' });
    const account = await this.accounts.setTimeZone(changeBy(user), changed);
    return { success: true, timeZone: account.timeZone };
  }
}
