import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Answer,
  ANY_OBJECT,
  Doc,
  Either,
  IsStorableText,
  ListOf,
  listTemplatesV1,
  type TemplateStatus,
  Transform,
} from '@switchboard/contracts';
import { TemplatesClient } from '@switchboard/service-clients';
import { Equals, IsArray, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { type ApiClient, Client } from '../request-context/client';
import { ApiAnswer, ApiFilter, ApiRefusals, type Success } from '../openapi/decorators';

export const CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'];

/** Query of `GET /v1/templates` (spec §7.5.2). */
export class TemplateFilters {
  @IsOptional() @IsString() @IsStorableText() @MaxLength(512) name?: string;
  @IsOptional() @IsString() @IsStorableText() @MaxLength(20) language?: string;
  @IsOptional()
  @Transform((value) => (typeof value === 'string' ? value.toUpperCase() : value))
  @IsIn(CATEGORIES)
  category?: string;
}

/** Approved template (spec §7.5.3). */
class Template {
  @IsString() id: string;
  @IsString() name: string;
  @Equals('APPROVED') status: TemplateStatus;
  @IsIn(CATEGORIES) category: string;
  @IsString() language: string;
  @Doc('HEADER, BODY, FOOTER, BUTTONS, CAROUSEL or LIMITED_TIME_OFFER')
  @IsArray()
  @Either(ANY_OBJECT)
  components: object[];
}

@Answer({ example: () => ({ success: true, ...listTemplatesV1.sample.response }) })
class TemplateList {
  @ListOf(() => Template) templates: Template[];
}

@ApiTags('Templates')
@ApiBearerAuth()
@Controller('v1/templates')
export class TemplatesController {
  constructor(private readonly templates: TemplatesClient) {}

  @Get()
  @ApiOperation({
    operationId: 'listTemplates',
    summary: 'List approved templates',
    description: 'Returns all approved templates, without pagination. Templates are created in the dashboard.',
  })
  @ApiFilter('name', { type: 'string', maxLength: 512 })
  @ApiFilter('language', { type: 'string', maxLength: 20 }, 'Language; `en-US` and `en_US` are equivalent')
  @ApiFilter('category', { type: 'string', enum: CATEGORIES }, 'Category; case-insensitive')
  @ApiAnswer(TemplateList)
  @ApiRefusals('INVALID_VALUE', 'TEXT_TOO_LONG')
  async list(@Client() client: ApiClient, @Query() filters: TemplateFilters): Promise<Success<TemplateList>> {
    const { templates } = await this.templates.listTemplates({
      accountId: client.account.id,
      ...filters,
    });
    return { success: true, templates };
  }
}
