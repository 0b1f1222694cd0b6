import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  GetEventReply,
  ID_PATTERNS,
  ListEventsCommand,
  ListEventsReply,
  parseBody,
  ReplayEventReply,
  TIME_SCHEMA,
  WEBHOOK_DELIVERY_STATES,
  WEBHOOK_ERROR_CLASSES,
  WEBHOOK_EVENT_KINDS,
} from '@switchboard/contracts';
import { WebhooksClient } from '@switchboard/service-clients';
import { type Query as ListQuery, matching, oneOf, parsePaging, single, timeOf } from '../pagination/list-query';
import { ApiAnswer, ApiBodies, ApiCursorPaging, ApiFilter, ApiRefusals, type Success } from '../openapi/decorators';
import { ReplayEventBody } from './webhook.bodies';
import { Roles } from '../decorators/roles.decorator';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { requireId } from '../http/path-ids';
import { WebhookChanges } from './webhook-changes';

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
    'Events with a delivery in this state. `dropped`: and it was not replayed since',
  )
  @ApiFilter('kind', { type: 'string', enum: WEBHOOK_EVENT_KINDS })
  @ApiFilter('endpointId', { type: 'string' }, 'Events with a delivery to this endpoint')
  @ApiFilter(
    'errorClass',
    { type: 'string', enum: WEBHOOK_ERROR_CLASSES },
    'Events with a delivery of which an attempt failed for this reason',
  )
  @ApiFilter('since', TIME_SCHEMA, 'Recorded at or after this time')
  @ApiFilter('until', TIME_SCHEMA, 'Recorded before this time')
  @ApiFilter('messageId', { type: 'string' })
  @ApiFilter(
    'search',
    { type: 'string', minLength: 2, maxLength: 255 },
    "An event's or message's id, or the beginning of a phone number, in any common notation, or of a template's name",
  )
  @ApiAnswer(ListEventsReply)
  @ApiRefusals('INVALID_VALUE', 'TEXT_TOO_LONG')
  async list(@SignedIn() { account }: ConsoleUser, @Query() query: ListQuery): Promise<Success<ListEventsReply>> {
    const { limit, cursor } = parsePaging(query);
    const filter = {
      state: oneOf(query, 'state', WEBHOOK_DELIVERY_STATES),
      kind: oneOf(query, 'kind', WEBHOOK_EVENT_KINDS),
      endpointId: matching(query, 'endpointId', ID_PATTERNS.ep, "an endpoint's id"),
      errorClass: oneOf(query, 'errorClass', WEBHOOK_ERROR_CLASSES),
      since: timeOf(query, 'since'),
      until: timeOf(query, 'until'),
      messageId: single(query, 'messageId'),
      search: searched(single(query, 'search')),
    };
    const { events, nextCursor } = await this.webhooks.listEvents(
      parseBody(ListEventsCommand, { ...filter, limit, cursor, accountId: account.id }),
    );
    return { success: true, events, nextCursor: nextCursor ?? null };
  }

  @Get(':eventId')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getWebhookEvent',
    summary: 'Get one event with its body, its deliveries, and the request and answer of every attempt',
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
    summary: 'Deliver one event again, with the same bytes and the same event id',
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

/** A phone number as people write it, with plus, blanks, brackets and dashes; events hold its digits alone. */
const WRITTEN_PHONE = /^\+?[\d\s().-]+$/;

function searched(text: string | undefined): string | undefined {
  return text !== undefined && WRITTEN_PHONE.test(text) ? text.replace(/\D/g, '') : text?.trim();
}
