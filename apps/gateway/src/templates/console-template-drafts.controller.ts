import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { DraftReply, ListDraftsReply, TEMPLATE_DRAFT_STATES, type TemplateDraftState } from '@switchboard/contracts';
import { TemplatesClient } from '@switchboard/service-clients';
import { IsOptional } from 'class-validator';
import { CursorQuery } from '../pagination/page-query';
import { IsOneOf } from '../pagination/query-rules';
import { ApiAnswer, ApiBodies, ApiCursorPaging, ApiFilter, ApiRefusals, type Success } from '../openapi/decorators';
import { Roles } from '../decorators/roles.decorator';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { requireId } from '../http/path-ids';
import { NewTemplateDraftBody, TemplateDraftChangeBody } from './template.bodies';
import { TemplateChanges } from './template-changes';

class DraftsQuery extends CursorQuery {
  @IsOptional() @IsOneOf(TEMPLATE_DRAFT_STATES) state?: TemplateDraftState;
}

@ApiTags('Template drafts')
@Controller('console/v1/template-drafts')
export class ConsoleTemplateDraftsController {
  constructor(
    private readonly templates: TemplatesClient,
    private readonly settings: TemplateChanges,
  ) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({ operationId: 'listTemplateDrafts', summary: 'List drafts, newest first' })
  @ApiCursorPaging()
  @ApiFilter('state', { type: 'string', enum: TEMPLATE_DRAFT_STATES })
  @ApiAnswer(ListDraftsReply)
  @ApiRefusals('INVALID_VALUE')
  async list(@SignedIn() { account }: ConsoleUser, @Query() query: DraftsQuery): Promise<Success<ListDraftsReply>> {
    const { drafts, nextCursor } = await this.templates.listDrafts({ accountId: account.id, ...query });
    return { success: true, drafts, nextCursor: nextCursor ?? null };
  }

  @Post()
  @Roles('admin')
  @ApiOperation({
    operationId: 'createTemplateDraft',
    summary: 'Create a draft of a new template',
    description: 'The draft may be incomplete: `faults` lists the parts that the upstream platform would reject.',
  })
  @ApiBodies({ json: NewTemplateDraftBody })
  @ApiAnswer(DraftReply, { status: 201 })
  @ApiRefusals('MISSING_FIELD', 'TEXT_TOO_LONG', 'INVALID_VALUE')
  async create(@SignedIn() user: ConsoleUser, @Body() body: NewTemplateDraftBody): Promise<Success<DraftReply>> {
    return {
      success: true,
      draft: await this.settings.createDraft(changeBy(user), body),
    };
  }

  @Get(':draftId')
  @Roles('viewer')
  @ApiOperation({ operationId: 'getTemplateDraft', summary: 'Retrieve a draft and the progress of its submission' })
  @ApiAnswer(DraftReply)
  @ApiRefusals('NOT_FOUND')
  async show(@SignedIn() { account }: ConsoleUser, @Param('draftId') draftId: string): Promise<Success<DraftReply>> {
    const { draft } = await this.templates.getDraft({
      accountId: account.id,
      draftId: requireId('tpl', draftId),
    });
    return { success: true, draft };
  }

  @Patch(':draftId')
  @Roles('admin')
  @ApiOperation({
    operationId: 'changeTemplateDraft',
    summary: 'Update a draft, including a `refused` one; omitted fields are unchanged',
  })
  @ApiBodies({ json: TemplateDraftChangeBody })
  @ApiAnswer(DraftReply)
  @ApiRefusals('MISSING_FIELD', 'TEXT_TOO_LONG', 'INVALID_VALUE', 'NOT_FOUND')
  async change(
    @SignedIn() user: ConsoleUser,
    @Param('draftId') draftId: string,
    @Body() change: TemplateDraftChangeBody,
  ): Promise<Success<DraftReply>> {
    return { success: true, draft: await this.settings.changeDraft(changeBy(user), requireId('tpl', draftId), change) };
  }

  @Delete(':draftId')
  @Roles('admin')
  @ApiOperation({
    operationId: 'deleteTemplateDraft',
    summary: 'Delete a draft. A draft in submission cannot be deleted.',
  })
  @ApiAnswer(DraftReply)
  @ApiRefusals('INVALID_VALUE', 'NOT_FOUND')
  async remove(@SignedIn() user: ConsoleUser, @Param('draftId') draftId: string): Promise<Success<DraftReply>> {
    return { success: true, draft: await this.settings.deleteDraft(changeBy(user), requireId('tpl', draftId)) };
  }

  @Post(':draftId/submit')
  @HttpCode(200)
  @Roles('admin')
  @ApiOperation({
    operationId: 'submitTemplateDraft',
    summary: 'Submit a draft to the upstream platform for review',
    description:
      'Submission is asynchronous: the draft is `submitting` until it is `submitted` or `refused`. The response lists every fault that the platform would reject, by field.',
  })
  @ApiAnswer(DraftReply)
  @ApiRefusals('INVALID_VALUE', 'NOT_FOUND')
  async submit(@SignedIn() user: ConsoleUser, @Param('draftId') draftId: string): Promise<Success<DraftReply>> {
    return { success: true, draft: await this.settings.submitDraft(changeBy(user), requireId('tpl', draftId)) };
  }
}
