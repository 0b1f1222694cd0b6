import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  CountDroppedReply,
  GetReplayReply,
  ID_PATTERNS,
  ListReplaysCommand,
  ListReplaysReply,
  parseBody,
  TIME_SCHEMA,
  WEBHOOK_EVENT_KINDS,
} from '@switchboard/contracts';
import { WebhooksClient } from '@switchboard/service-clients';
import { matching, oneOf, parsePaging, type Query as ListQuery, timeOf } from '../pagination/list-query';
import { ApiAnswer, ApiBodies, ApiCursorPaging, ApiFilter, ApiRefusals, type Success } from '../openapi/decorators';
import { ReplayDroppedBody } from './webhook.bodies';
import { Roles } from '../decorators/roles.decorator';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { requireId } from '../http/path-ids';
import { WebhookChanges } from './webhook-changes';

const DAY_MS = 86_400_000;

@ApiTags('Webhook events')
@Controller('console/v1/webhook-replays')
export class ConsoleWebhookReplaysController {
  constructor(
    private readonly webhooks: WebhooksClient,
    private readonly settings: WebhookChanges,
  ) {}

  @Post()
  @Roles('admin')
  @ApiOperation({
    operationId: 'replayDroppedEvents',
    summary: 'Replay all deliveries that were dropped since a time, at a limited rate',
    description:
      'Give `deliveries` as `countDroppedDeliveries` answered it with `isExact: true`: the replay begins only when there are as many now. Leave it out when the count was not exact: the replay takes all there are.',
  })
  @ApiBodies({ json: ReplayDroppedBody })
  @ApiAnswer(GetReplayReply, { status: 201 })
  @ApiRefusals('MISSING_FIELD', 'TEXT_TOO_LONG', 'INVALID_VALUE', 'NOT_FOUND')
  async begin(@SignedIn() user: ConsoleUser, @Body() body: ReplayDroppedBody): Promise<Success<GetReplayReply>> {
    return {
      success: true,
      replay: await this.settings.replayDropped(changeBy(user), body),
    };
  }

  @Get()
  @Roles('viewer')
  @ApiOperation({ operationId: 'listReplays', summary: 'List replays with their progress, newest first' })
  @ApiCursorPaging()
  @ApiAnswer(ListReplaysReply)
  @ApiRefusals()
  async list(@SignedIn() { account }: ConsoleUser, @Query() query: ListQuery): Promise<Success<ListReplaysReply>> {
    const { limit, cursor } = parsePaging(query);
    const request = parseBody(ListReplaysCommand, { limit, cursor, accountId: account.id });
    return { success: true, ...(await this.webhooks.listReplays(request)) };
  }

  @Get('count')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'countDroppedDeliveries',
    summary: 'Count the deliveries that a replay would take, before it begins',
    description: 'The same filters as `replayDroppedEvents`. Nothing is replayed.',
  })
  @ApiFilter('since', TIME_SCHEMA, 'Of events recorded at or after this time; a day ago when absent')
  @ApiFilter('until', TIME_SCHEMA, 'Of events recorded before this time')
  @ApiFilter('endpointId', { type: 'string' }, 'To this endpoint alone')
  @ApiFilter('kind', { type: 'string', enum: WEBHOOK_EVENT_KINDS }, 'Of events of this kind alone')
  @ApiAnswer(CountDroppedReply)
  @ApiRefusals('INVALID_VALUE')
  async count(@SignedIn() { account }: ConsoleUser, @Query() query: ListQuery): Promise<Success<CountDroppedReply>> {
    const request = {
      accountId: account.id,
      since: timeOf(query, 'since') ?? new Date(Date.now() - DAY_MS).toISOString(),
      until: timeOf(query, 'until'),
      kind: oneOf(query, 'kind', WEBHOOK_EVENT_KINDS),
      endpointId: matching(query, 'endpointId', ID_PATTERNS.ep, "an endpoint's id"),
    };
    return { success: true, ...(await this.webhooks.countDropped(request)) };
  }

  @Get(':replayId')
  @Roles('viewer')
  @ApiOperation({ operationId: 'getReplay', summary: 'Get how far a replay has come' })
  @ApiAnswer(GetReplayReply)
  @ApiRefusals('NOT_FOUND')
  async show(
    @SignedIn() { account }: ConsoleUser,
    @Param('replayId') replayId: string,
  ): Promise<Success<GetReplayReply>> {
    const { replay } = await this.webhooks.getReplay({
      accountId: account.id,
      replayId: requireId('rpl', replayId),
    });
    return { success: true, replay };
  }
}
