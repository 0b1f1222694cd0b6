import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Broker } from '@switchboard/broker';
import { listTemplatesV1, parseBody } from '@switchboard/contracts';
import { type ApiClient, Client } from '../../caller/client';
import { ApiAnswer, ApiFilter, ApiRefusals } from '../../openapi/decorators';
import { oneOfTexts, text } from '../../openapi/schema';
import { TemplateFilters } from './template-filters';

@ApiTags('Templates')
@ApiBearerAuth()
@Controller('v1/templates')
export class TemplatesController {
  constructor(private readonly broker: Broker) {}

  @Get()
  @ApiOperation({ operationId: 'listTemplates', summary: 'List the approved templates' })
  @ApiFilter('name', text(undefined, { maxLength: 512 }))
  @ApiFilter('language', text(undefined, { maxLength: 20 }), '`en-US` and `en_US` are the same')
  @ApiFilter('category', oneOfTexts(['MARKETING', 'UTILITY', 'AUTHENTICATION']), 'In either case')
  @ApiAnswer('TemplateList')
  @ApiRefusals('INVALID_VALUE', 'TEXT_TOO_LONG')
  async list(@Client() client: ApiClient, @Query() query: Record<string, unknown>): Promise<object> {
    const { name, language, category } = parseBody(TemplateFilters, query);
    const { templates } = await this.broker.ask(listTemplatesV1, {
      accountId: client.account.id,
      name,
      language,
      category,
    });
    return { success: true, templates };
  }
}
