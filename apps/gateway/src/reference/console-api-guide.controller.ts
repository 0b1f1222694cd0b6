import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answer, Doc, OrNull } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import { IsString } from 'class-validator';
import { Roles } from '../decorators/roles.decorator';
import { KEY_SCHEME } from '../api-keys/api-key';
import type { GatewayConfig } from '../config';
import { ApiAnswer, ApiRefusals, type Success } from '../openapi/decorators';

@Answer()
class ApiGuide {
  @Doc('Base URL of the API', { example: 'https://switchboard.example.com/v1' }) @IsString() baseUrl: string;
  @Doc('Prefix of every API key', { example: KEY_SCHEME }) @IsString() keyPrefix: string;
  @Doc("URL of the simulator's page if this installation is a sandbox") @OrNull() @IsString() simulatorUrl:
    | string
    | null;
}

@ApiTags('API keys')
@Controller('console/v1/api-guide')
export class ConsoleApiGuideController {
  constructor(@Inject(CONFIG) private readonly config: GatewayConfig) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getApiGuide',
    summary: 'Retrieve the facts about this installation that API clients need',
  })
  @ApiAnswer(ApiGuide)
  @ApiRefusals()
  show(): Success<ApiGuide> {
    return {
      success: true,
      baseUrl: `${this.config.PUBLIC_BASE_URL.replace(/\/$/, '')}/v1`,
      keyPrefix: KEY_SCHEME,
      simulatorUrl: this.config.SIMULATOR_PAGE_URL ?? null,
    };
  }
}
