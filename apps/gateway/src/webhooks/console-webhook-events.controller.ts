import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  GetEventReply,
  ID_PATTERNS,
  IsStorableText,
  ListEventsReply,
  ReplayEventReply,
  TIME_SCHEMA,
  Transform,
  WEBHOOK_DELIVERY_STATES,
  WEBHOOK_ERROR_CLASSES,
  WEBHOOK_EVENT_KINDS,
  type WebhookDeliveryState,
  type WebhookErrorClass,
  type WebhookEventKind,
} from '@switchboard/contracts';
import { WebhooksClient } from '@switchboard/service-clients';
import { IsOptional, MaxLength, MinLength } from 'class-validator';
import { CursorQuery } from '../pagination/page-query';
import { IsGivenOnce, IsLike, IsOneOf, IsPointInTime } from '../pagination/query-rules';
import { ApiAnswer, ApiBodies, ApiCursorPaging, ApiFilter, ApiRefusals, type Success } from '../openapi/decorators';
import { ReplayEventBody } from './webhook.bodies';
import { Roles } from '../decorators/roles.decorator';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { requireId } from '../http/path-ids';
import { WebhookChanges } from './webhook-changes';

/** Phone number with plus sign, spaces, brackets or dashes, to be reduced to the digits that events contain. */
const WRITTEN_PHONE = /^\+?[\d\s().-]+$/;

function searched(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  return WRITTEN_PHONE.test(text) ? text.replace(/\D/g, '') : text.trim();
}

class WebhookEventsQuery extends CursorQuery {
  @IsOptional() @IsOneOf(WEBHOOK_DELIVERY_STATES) state?: WebhookDeliveryState;
  @IsOptional() @IsOneOf(WEBHOOK_EVENT_KINDS) kind?: WebhookEventKind;
  @IsOptional() @IsGivenOnce() @IsStorableText() @MaxLength(50) status?: string;
  @IsOptional() @IsLike(ID_PATTERNS.ep, "an endpoint's id") endpointId?: string;
  @IsOptional() @IsOneOf(WEBHOOK_ERROR_CLASSES) errorClass?: WebhookErrorClass;
  @IsOptional() @IsPointInTime() since?: string;
  @IsOptional() @IsPointInTime() until?: string;
  @IsOptional() @IsGivenOnce() @IsStorableText() @MaxLength(255) messageId?: string;
  @Transform(searched)
  @IsOptional()
  @IsGivenOnce()
  @IsStorableText()
  @MinLength(2)
  @MaxLength(255)
  search?: string;
}

@ApiTags('Webhook events')
@Controller('console/v1/webhook-events')
export class ConsoleWebhookEventsController {
  constructor(
    private readonly webhooks: WebhooksClient,
    private readonly settings: WebhookChanges,
  ) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({
    operationId: 'listWebhookEvents',
    summary: 'List events with their deliveries, newest first',
  })
  @ApiCursorPaging()
  @ApiFilter(
    'state',
    { type: 'string', enum: WEBHOOK_DELIVERY_STATES },
    'Only events with a delivery in this state. `dropped`: only if not replayed since',
  )
  @ApiFilter('kind', { type: 'string', enum: WEBHOOK_EVENT_KINDS })
  @ApiFilter('status', { type: 'string' }, 'Only events that report this status, such as `read`')
  @ApiFilter('endpointId', { type: 'string' }, 'Only events with a delivery to this endpoint')
  @ApiFilter(
    'errorClass',
    { type: 'string', enum: WEBHOOK_ERROR_CLASSES },
    'Only events with a delivery attempt that failed for this reason',
  )
  @ApiFilter('since', TIME_SCHEMA, 'Only events recorded at or after this time')
  @ApiFilter('until', TIME_SCHEMA, 'Only events recorded before this time')
  @ApiFilter('messageId', { type: 'string' })
  @ApiFilter(
    'search',
    { type: 'string', minLength: 2, maxLength: 255 },
    'ID of an event or message, or the start of a phone number (in any common notation) or of a template name',
  )
  @ApiAnswer(ListEventsReply)
  @ApiRefusals('INVALID_VALUE', 'TEXT_TOO_LONG')
  async list(
    @SignedIn() { account }: ConsoleUser,
    @Query() query: WebhookEventsQuery,
  ): Promise<Success<ListEventsReply>> {
    const { events, nextCursor } = await this.webhooks.listEvents({ accountId: account.id, ...query });
    return { success: true, events, nextCursor: nextCursor ?? null };
  }

  @Get(':eventId')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getWebhookEvent',
    summary: 'Retrieve an event with its body, its deliveries, and the request and response of every attempt',
  })
  @ApiAnswer(GetEventReply)
  @ApiRefusals('NOT_FOUND')
  async show(@SignedIn() { account }: ConsoleUser, @Param('eventId') eventId: string): Promise<Success<GetEventReply>> {
    const { event } = await this.webhooks.getEvent({
      accountId: account.id,
      eventId: requireId('evt', eventId),
    });
    return { success: true, event };
  }

  @Post(':eventId/replay')
  @HttpCode(200)
  @Roles('admin')
  @ApiOperation({
    operationId: 'replayWebhookEvent',
    summary: 'Replay an event, with the same bytes and the same event id',
  })
  @ApiBodies({ json: ReplayEventBody })
  @ApiAnswer(ReplayEventReply)
  @ApiRefusals('INVALID_VALUE', 'NOT_FOUND')
  async replay(
    @SignedIn() user: ConsoleUser,
    @Param('eventId') eventId: string,
    @Body() { endpointId }: ReplayEventBody,
  ): Promise<Success<ReplayEventReply>> {
    return {
      success: true,
      deliveries: await this.settings.replayEvent(changeBy(user), requireId('evt', eventId), endpointId),
    };
  }
}
