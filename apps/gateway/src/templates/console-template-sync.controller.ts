import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { SyncReply } from '@switchboard/contracts';
import { TemplatesClient } from '@switchboard/service-clients';
import { ApiAnswer, ApiRefusals, type Success } from '../openapi/decorators';
import { Roles } from '../decorators/roles.decorator';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { TemplateChanges } from './template-changes';

@ApiTags('Templates')
@Controller('console/v1/template-sync')
export class ConsoleTemplateSyncController {
  constructor(
    private readonly templates: TemplatesClient,
    private readonly settings: TemplateChanges,
  ) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getTemplateSync',
    summary: 'Retrieve the progress of the template sync with the upstream platform',
  })
  @ApiAnswer(SyncReply)
  @ApiRefusals()
  async show(@SignedIn() { account }: ConsoleUser): Promise<Success<SyncReply>> {
    const { businesses } = await this.templates.getSync({ accountId: account.id });
    return { success: true, businesses };
  }

  @Post()
  @HttpCode(200)
  @Roles('admin')
  @ApiOperation({
    operationId: 'requestTemplateSync',
    summary: 'Start a template sync with the upstream platform',
    description: 'The sync is asynchronous; retrieve its progress with `getTemplateSync`.',
  })
  @ApiAnswer(SyncReply)
  @ApiRefusals()
  async request(@SignedIn() user: ConsoleUser): Promise<Success<SyncReply>> {
    return { success: true, businesses: await this.settings.requestSync(changeBy(user)) };
  }
}
