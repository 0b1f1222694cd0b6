import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answer, Doc, IsTime, ListOf } from '@switchboard/contracts';
import { IsInt, IsString } from 'class-validator';
import { Roles } from '../decorators/roles.decorator';
import { RateLimits } from '../rate-limits/rate-limits';
import { KeysService } from './keys.service';
import { OverridesService } from '../accounts/overrides.service';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { ApiAnswer, ApiRefusals, type Success } from '../openapi/decorators';

const MOST_CLIENTS = 100;

class ShownUsage {
  @Doc('The newest key of the API client') @IsString() keyId: string;
  @IsString() name: string;
  @Doc('Requests per window') @IsInt() limit: number;
  @Doc('Requests available now') @IsInt() remaining: number;
  @IsInt() windowSeconds: number;
  @Doc('Time at which the full limit is available again if the client makes no further requests')
  @IsTime()
  resetAt: Date;
}

@Answer({ name: 'RateUsage' })
class RateUsageAnswer {
  @Doc('One entry per API client with a valid key') @ListOf(() => ShownUsage) clients: ShownUsage[];
}

@ApiTags('Account')
@Controller('console/v1/rate-usage')
export class ConsoleRateUsageController {
  constructor(
    private readonly overrides: OverridesService,
    private readonly keys: KeysService,
    private readonly rateLimits: RateLimits,
  ) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getRateUsage',
    summary: 'Retrieve the remaining rate limit of each API client',
    description: `This request does not count against their limits. At most ${MOST_CLIENTS} clients are returned.`,
  })
  @ApiAnswer(RateUsageAnswer)
  @ApiRefusals()
  async rateUsage(@SignedIn() { account }: ConsoleUser): Promise<Success<RateUsageAnswer>> {
    const [plan, found] = await Promise.all([
      withinDatabaseDeadline(this.overrides.planOf(account.id)),
      withinDatabaseDeadline(this.keys.clientsOf(account.id, { limit: MOST_CLIENTS })),
    ]);
    const clients = await Promise.all(
      found.map(async ({ clientId, keyId, name }) => ({
        keyId,
        name,
        ...(await this.rateLimits.peek({ clientId, plan })),
      })),
    );
    return { success: true, clients };
  }
}
