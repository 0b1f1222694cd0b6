import { Controller, Get } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answer, Doc, IsTime, ListOf, Nested, NumberRestriction, OrNull } from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import { IsArray, IsInt, IsString } from 'class-validator';
import { type ApiClient, Client, Usage } from '../request-context/client';
import type { RateUsage } from '../request-context/rate-usage';
import { CreditsService } from '../accounts/credits.service';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { ApiAnswer, ApiRefusals, type Success } from '../openapi/decorators';

const EXAMPLE = {
  success: true,
  account: { id: 'acc_01jd0000000000000000000000', name: 'Shop', createdAt: '2026-03-02T10:15:00.000Z' },
  apiClient: {
    id: 'key_01jd0000000000000000000000',
    name: 'server',
    keyPrefix: 'sb_live_4fQz',
    allowedIps: ['203.0.113.0/24'],
    allowedRoutes: ['POST /v1/messages/*'],
    expiresAt: null,
  },
  plan: { name: 'growth', features: ['BULK_MSG_LIMIT', 'MEDIA'], limits: { bulkRecipients: 1000, excelRows: 0 } },
  credits: { utility: 940 },
  rateLimit: { limit: 60, remaining: 57, windowSeconds: 60, resetAt: '2026-03-02T10:16:00.000Z' },
  numbers: [
    {
      phoneNumber: '15550783881',
      qualityRating: 'GREEN',
      messagingLimit: 'TIER_10K',
      portfolioId: '300000000000001',
      status: 'CONNECTED',
      restrictions: [],
    },
  ],
};

class MyAccount {
  @IsString() id: string;
  @IsString() name: string;
  @IsTime() createdAt: Date;
}

class MyKey {
  @IsString() id: string;
  @IsString() name: string;
  @Doc('First characters of the key') @IsString() keyPrefix: string;
  @Doc('IP addresses or CIDR ranges; empty if all are allowed')
  @IsArray()
  @IsString({ each: true })
  allowedIps: string[];
  @Doc('Methods with path patterns; empty if all are allowed')
  @IsArray()
  @IsString({ each: true })
  allowedRoutes: string[];
  @OrNull() @IsTime() expiresAt: Date | null;
}

class MyLimits {
  @IsInt() bulkRecipients: number;
  @IsInt() excelRows: number;
}

class MyPlan {
  @IsString() name: string;
  @IsArray() @IsString({ each: true }) features: string[];
  @Nested(() => MyLimits) limits: MyLimits;
}

class MyCredits {
  @IsInt() utility: number;
}

class MyRateLimit {
  @IsInt() limit: number;
  @IsInt() remaining: number;
  @IsInt() windowSeconds: number;
  @IsTime() resetAt: Date;
}

class MyNumber {
  @IsString() phoneNumber: string;
  @OrNull() @IsString() qualityRating: string | null;
  @OrNull() @IsString() messagingLimit: string | null;
  @Doc('Business portfolio whose numbers share the messaging limit; null until the platform reports it')
  @OrNull()
  @IsString()
  portfolioId: string | null;
  @IsString() status: string;
  @Doc('Current restrictions of the business at the upstream platform; usually empty')
  @ListOf(() => NumberRestriction)
  restrictions: NumberRestriction[];
}

/** Account of the API key, with its plan and limits (spec §7.6). */
@Answer({ example: () => EXAMPLE })
class Me {
  @Nested(() => MyAccount) account: MyAccount;
  @Nested(() => MyKey) apiClient: MyKey;
  @Nested(() => MyPlan) plan: MyPlan;
  @Nested(() => MyCredits) credits: MyCredits;
  @Nested(() => MyRateLimit) rateLimit: MyRateLimit;
  @ListOf(() => MyNumber) numbers: MyNumber[];
}

@ApiTags('Account')
@ApiBearerAuth()
@Controller('v1/me')
export class MeController {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly credits: CreditsService,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'getMe',
    summary: 'Retrieve the account with its plan, credits, rate limit and numbers',
    description: 'Also returns the permissions of this API key.',
  })
  @ApiAnswer(Me)
  @ApiRefusals()
  async show(@Client() client: ApiClient, @Usage() usage: RateUsage): Promise<Success<Me>> {
    const { account, plan, clientId, keyName, keyPrefix, allowedIps, allowedRoutes, expiresAt } = client;
    const [credits, { numbers }] = await Promise.all([
      withinDatabaseDeadline(this.credits.balancesOf(account.id)),
      this.messaging.listNumbers({ accountId: account.id }),
    ]);
    return {
      success: true,
      account: { id: account.id, name: account.name, createdAt: account.createdAt },
      apiClient: { id: clientId, name: keyName, keyPrefix, allowedIps, allowedRoutes, expiresAt },
      plan: {
        name: plan.name,
        features: plan.features,
        limits: { bulkRecipients: plan.bulkRecipients, excelRows: plan.excelRows },
      },
      credits,
      rateLimit: usage,
      numbers: numbers.map(
        ({ phoneNumber, qualityRating, messagingLimit, portfolioId = null, status, restrictions = [] }) => ({
          phoneNumber,
          qualityRating,
          messagingLimit,
          portfolioId,
          status,
          restrictions,
        }),
      ),
    };
  }
}
