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
  @Doc('There is a key that works') @IsBoolean() hasApiKey: boolean;
  @Doc('A message was sent, or is on its way') @IsBoolean() hasMessage: boolean;
  @Doc('A template is approved') @IsBoolean() hasTemplate: boolean;
  @Doc('There is a webhook endpoint') @IsBoolean() hasWebhookEndpoint: boolean;
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
    summary: 'Get which of the first steps are done: a key, a message, a template, a webhook endpoint',
    description: 'The answer shows the current state: a step is open again after its key is revoked.',
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
