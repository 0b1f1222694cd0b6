import { Controller, Get } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Broker } from '@switchboard/broker';
import { listNumbersV1 } from '@switchboard/contracts';
import { type ApiClient, Client, Usage } from '../../caller/client';
import type { RateUsage } from '../../caller/rate-usage';
import { CreditsService } from '../../accounts/credits.service';
import { withinDatabaseDeadline } from '../../http/database-deadline';
import { ApiAnswer, ApiRefusals } from '../../openapi/decorators';

@ApiTags('Account')
@ApiBearerAuth()
@Controller('v1/me')
export class MeController {
  constructor(
    private readonly broker: Broker,
    private readonly credits: CreditsService,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'getMe', summary: 'Get the account with its plan, credits, rate limit and numbers' })
  @ApiAnswer('Me')
  @ApiRefusals()
  async show(@Client() client: ApiClient, @Usage() usage: RateUsage): Promise<object> {
    const { account, plan, clientId, keyName, keyPrefix, allowedIps, allowedRoutes, expiresAt } = client;
    const [credits, { numbers }] = await Promise.all([
      withinDatabaseDeadline(this.credits.balancesOf(account.id)),
      this.broker.ask(listNumbersV1, { accountId: account.id }),
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
      numbers: numbers.map(({ phoneNumber, qualityRating, messagingLimit, status }) => ({
        phoneNumber,
        qualityRating,
        messagingLimit,
        status,
      })),
    };
  }
}
