import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Answer,
  Doc,
  DraftReply,
  IsStorableText,
  ListTemplateEventsReply,
  type SearchTemplatesCommand,
  SearchTemplatesReply,
  ShowTemplateReply,
  TEMPLATE_CATEGORIES,
  TEMPLATE_STATUSES,
  Transform,
} from '@switchboard/contracts';
import { TemplatesClient } from '@switchboard/service-clients';
import { IsInt, IsOptional, IsString, MaxLength } from 'class-validator';
import { CursorQuery } from '../pagination/page-query';
import { IsGivenOnce, IsLike, IsOneOf } from '../pagination/query-rules';
import type { NewIdFunction } from '../idempotency/derived-ids';
import { NewId } from '../idempotency/new-id';
import { TakesIdempotencyKeys } from '../idempotency/takes-idempotency-keys';
import { ApiAnswer, ApiBodies, ApiCursorPaging, ApiFilter, ApiRefusals, type Success } from '../openapi/decorators';
import { Roles } from '../decorators/roles.decorator';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { requireUpstreamId } from '../http/path-ids';
import { TemplateChanges } from './template-changes';
import { TestSendBody } from './template.bodies';

@Answer()
class TestSendAnswer {
  @Doc("The service's ID of the message") @IsString() id: string;
  @Doc('ID of the message at the upstream platform') @IsString() upstreamId: string;
}

@Answer()
class DeletedTemplate {
  @Doc('Number of other accounts that share the template and lose it as well') @IsInt() otherAccounts: number;
}

const emptyIsAbsent = (value: unknown): unknown => (value === '' ? undefined : value);

class ManagedTemplatesQuery extends CursorQuery {
  @IsOptional() @IsOneOf(TEMPLATE_STATUSES) status?: SearchTemplatesCommand['status'];
  @Transform(emptyIsAbsent) @IsOptional() @IsGivenOnce() @IsStorableText() @MaxLength(512) name?: string;
  @Transform(emptyIsAbsent) @IsOptional() @IsGivenOnce() @IsStorableText() @MaxLength(20) language?: string;
  @IsOptional() @IsOneOf(TEMPLATE_CATEGORIES) category?: string;
}

class TemplateEventsQuery extends CursorQuery {
  @IsOptional() @IsLike(/^[1-9][0-9]{0,17}$/, 'a nextCursor of this list') override cursor?: string;
}

@ApiTags('Templates')
@Controller('console/v1/templates')
export class ConsoleManagedTemplatesController {
  constructor(
    private readonly templates: TemplatesClient,
    private readonly settings: TemplateChanges,
  ) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({
    operationId: 'listManagedTemplates',
    summary: 'List templates of every status, ordered by name and language',
  })
  @ApiCursorPaging()
  @ApiFilter('status', { type: 'string', enum: TEMPLATE_STATUSES })
  @ApiFilter('name', { type: 'string', maxLength: 512 }, 'Prefix of the name')
  @ApiFilter('language', { type: 'string', maxLength: 20 }, 'Language; `en-US` and `en_US` are equivalent')
  @ApiFilter('category', { type: 'string', enum: TEMPLATE_CATEGORIES })
  @ApiAnswer(SearchTemplatesReply)
  @ApiRefusals('INVALID_VALUE', 'TEXT_TOO_LONG')
  async list(
    @SignedIn() { account }: ConsoleUser,
    @Query() query: ManagedTemplatesQuery,
  ): Promise<Success<SearchTemplatesReply>> {
    const { templates, nextCursor } = await this.templates.searchTemplates({ accountId: account.id, ...query });
    return { success: true, templates, nextCursor: nextCursor ?? null };
  }

  @Get(':templateId')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getManagedTemplate',
    summary: 'Retrieve a template with its content, status and rejection reason',
  })
  @ApiAnswer(ShowTemplateReply)
  @ApiRefusals('NOT_FOUND')
  async show(
    @SignedIn() { account }: ConsoleUser,
    @Param('templateId') templateId: string,
  ): Promise<Success<ShowTemplateReply>> {
    const { template } = await this.templates.showTemplate({
      accountId: account.id,
      templateId: requireUpstreamId(templateId),
    });
    return { success: true, template };
  }

  @Get(':templateId/events')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'listTemplateEvents',
    summary: 'List the history of a template, newest first; deleted templates retain their history',
  })
  @ApiCursorPaging()
  @ApiAnswer(ListTemplateEventsReply)
  @ApiRefusals('INVALID_VALUE', 'NOT_FOUND')
  async history(
    @SignedIn() { account }: ConsoleUser,
    @Param('templateId') templateId: string,
    @Query() { limit, cursor }: TemplateEventsQuery,
  ): Promise<Success<ListTemplateEventsReply>> {
    const { events, nextCursor } = await this.templates.listTemplateEvents({
      accountId: account.id,
      templateId: requireUpstreamId(templateId),
      limit,
      cursor,
    });
    return { success: true, events, nextCursor: nextCursor ?? null };
  }

  @Post(':templateId/edit')
  @Roles('admin')
  @ApiOperation({
    operationId: 'editTemplate',
    summary: 'Start a draft that changes a template, or return the existing draft',
  })
  @ApiAnswer(DraftReply, { status: 201 })
  @ApiRefusals('INVALID_VALUE', 'NOT_FOUND')
  async edit(@SignedIn() user: ConsoleUser, @Param('templateId') templateId: string): Promise<Success<DraftReply>> {
    return { success: true, draft: await this.settings.editTemplate(changeBy(user), requireUpstreamId(templateId)) };
  }

  @Post(':templateId/test-sends')
  @TakesIdempotencyKeys()
  @Roles('admin')
  @ApiOperation({
    operationId: 'testSendTemplate',
    summary: 'Send a test message of an approved template to one recipient',
    description: 'The message is real: it is listed, reported to webhooks, and counts at the upstream platform.',
  })
  @ApiBodies({ json: TestSendBody })
  @ApiAnswer(TestSendAnswer, { status: 201 })
  @ApiRefusals(
    'MISSING_FIELD',
    'INVALID_VALUE',
    'INVALID_PHONE',
    'TEXT_TOO_LONG',
    'INVALID_LINK',
    'NOT_FOUND',
    'TEMPLATE_NOT_FOUND',
    'TEMPLATE_NOT_APPROVED',
    'TEMPLATE_PARAMS_MISMATCH',
    'PHONE_REQUIRED',
    'RECIPIENT_OPTED_OUT',
    'RECIPIENT_BLOCKED',
    'SPEND_CAP_REACHED',
    'RATE_UNKNOWN',
    'NUMBER_STOPPED',
    'UPSTREAM_THROTTLED',
    'UPSTREAM_ERROR',
    'UPSTREAM_TIMEOUT',
    'IDEMPOTENCY_IN_PROGRESS',
    'IDEMPOTENCY_MISMATCH',
  )
  async testSend(
    @SignedIn() user: ConsoleUser,
    @Param('templateId') templateId: string,
    @NewId() newId: NewIdFunction,
    @Body() body: TestSendBody,
  ): Promise<Success<TestSendAnswer>> {
    const wanted = { ...body, messageId: newId('msg') };
    const { id, upstreamId } = await this.settings.testSend(changeBy(user), requireUpstreamId(templateId), wanted);
    return { success: true, id, upstreamId };
  }

  @Delete(':templateId')
  @Roles('admin')
  @ApiOperation({
    operationId: 'deleteTemplate',
    summary: 'Delete one language of a template at the upstream platform, which then blocks its name for some time',
  })
  @ApiAnswer(DeletedTemplate)
  @ApiRefusals('INVALID_VALUE', 'NOT_FOUND', 'UPSTREAM_THROTTLED', 'UPSTREAM_ERROR', 'UPSTREAM_TIMEOUT')
  async remove(
    @SignedIn() user: ConsoleUser,
    @Param('templateId') templateId: string,
  ): Promise<Success<DeletedTemplate>> {
    const otherAccounts = await this.settings.deleteTemplate(changeBy(user), requireUpstreamId(templateId));
    return { success: true, otherAccounts };
  }
}
