import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answer, Doc } from '@switchboard/contracts';
import { MessagingClient, TemplatesClient, WebhooksClient } from '@switchboard/service-clients';
import { IsBoolean } from 'class-validator';
import { KeysService } from '../api-keys/keys.service';
import { Roles } from '../decorators/roles.decorator';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { ApiAnswer, ApiRefusals, type Success } from '../openapi/decorators';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';

@Answer()
class FirstSteps {
  @Doc('Whether the account has a valid API key') @IsBoolean() hasApiKey: boolean;
  @Doc('Whether a message was sent or is being sent') @IsBoolean() hasMessage: boolean;
  @Doc('Whether a template is approved') @IsBoolean() hasTemplate: boolean;
  @Doc('Whether a webhook endpoint exists') @IsBoolean() hasWebhookEndpoint: boolean;
}

@ApiTags('Account')
@Controller('console/v1/first-steps')
export class ConsoleFirstStepsController {
  constructor(
    private readonly keys: KeysService,
    private readonly messaging: MessagingClient,
    private readonly templates: TemplatesClient,
    private readonly webhooks: WebhooksClient,
  ) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getFirstSteps',
    summary: 'Retrieve the progress of the first steps: API key, message, template, webhook endpoint',
    description: 'Reflects the current state: the key step is open again after the key is revoked.',
  })
  @ApiAnswer(FirstSteps)
  @ApiRefusals()
  async firstSteps(@SignedIn() { account }: ConsoleUser): Promise<Success<FirstSteps>> {
    const accountId = account.id;
    const [keys, { messages }, { templates }, { endpoints }] = await Promise.all([
      withinDatabaseDeadline(this.keys.listKeys(accountId, { state: 'active', limit: 1 })),
      this.messaging.listMessages({ accountId, direction: 'outbound', page: 1, limit: 1 }),
      this.templates.searchTemplates({ accountId, status: 'APPROVED', limit: 1 }),
      this.webhooks.listEndpoints({ accountId }),
    ]);
    return {
      success: true,
      hasApiKey: keys.length > 0,
      hasMessage: messages.length > 0,
      hasTemplate: templates.length > 0,
      hasWebhookEndpoint: endpoints.length > 0,
    };
  }
}
