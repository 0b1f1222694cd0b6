import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Broker } from '@switchboard/broker';
import { listTemplatesV1, parseBody } from '@switchboard/contracts';
import { type ApiClient, Client } from '../access/client';
import { ApiAnswer, ApiRefusals } from '../reference/decorators';
import { TemplateFilters } from './template-filters';

@ApiTags('Templates')
@ApiBearerAuth()
@Controller('v1/templates')
export class TemplatesController {
  constructor(private readonly broker: Broker) {}

  @Get()
  @ApiOperation({ summary: 'List the approved templates' })
  @ApiQuery({ name: 'name', required: false, schema: { type: 'string' } })
  @ApiQuery({ name: 'language', required: false, description: '`en-US` and `en_US` are the same', schema: { type: 'string' } })
  @ApiQuery({ name: 'category', required: false, description: 'In either case', schema: { type: 'string', enum: ['MARKETING', 'UTILITY', 'AUTHENTICATION'] } })
  @ApiAnswer('TemplateList')
  @ApiRefusals('INVALID_PARAMETER', 'INVALID_VALUE')
  async list(@Client() client: ApiClient, @Query() query: Record<string, unknown>): Promise<object> {
    const { name, language, category } = parseBody(TemplateFilters, query);
    const { templates } = await this.broker.ask(listTemplatesV1, { accountId: client.account.id, name, language, category });
    return { success: true, templates };
  }
}
