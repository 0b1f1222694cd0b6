import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  CountDroppedReply,
  GetReplayReply,
  ID_PATTERNS,
  ListReplaysReply,
  TIME_SCHEMA,
  WEBHOOK_EVENT_KINDS,
  type WebhookEventKind,
} from '@switchboard/contracts';
import { WebhooksClient } from '@switchboard/service-clients';
import { IsOptional } from 'class-validator';
import { CursorQuery } from '../pagination/page-query';
import { IsLike, IsOneOf, IsPointInTime } from '../pagination/query-rules';
import { ApiAnswer, ApiBodies, ApiCursorPaging, ApiFilter, ApiRefusals, type Success } from '../openapi/decorators';
import { ReplayDroppedBody } from './webhook.bodies';
import { Roles } from '../decorators/roles.decorator';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { requireId } from '../http/path-ids';
import { WebhookChanges } from './webhook-changes';

const DAY_MS = 86_400_000;

class DroppedQuery {
  @IsOptional() @IsPointInTime() since?: string;
  @IsOptional() @IsPointInTime() until?: string;
  @IsOptional() @IsOneOf(WEBHOOK_EVENT_KINDS) kind?: WebhookEventKind;
  @IsOptional() @IsLike(ID_PATTERNS.ep, "an endpoint's id") endpointId?: string;
}

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
    summary: 'Replay all deliveries dropped since a time, at a limited rate',
    description:
      'Set `deliveries` to the count that `countDroppedDeliveries` returned with `isExact: true`: the replay starts only if the count still matches. Omit it if the count was not exact: the replay then includes all dropped deliveries.',
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
  async list(@SignedIn() { account }: ConsoleUser, @Query() query: CursorQuery): Promise<Success<ListReplaysReply>> {
    return { success: true, ...(await this.webhooks.listReplays({ accountId: account.id, ...query })) };
  }

  @Get('count')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'countDroppedDeliveries',
    summary: 'Count the deliveries that a replay would include',
    description: 'Accepts the same filters as `replayDroppedEvents`. Nothing is replayed.',
  })
  @ApiFilter('since', TIME_SCHEMA, 'Only events recorded at or after this time; defaults to one day ago')
  @ApiFilter('until', TIME_SCHEMA, 'Only events recorded before this time')
  @ApiFilter('endpointId', { type: 'string' }, 'Only deliveries to this endpoint')
  @ApiFilter('kind', { type: 'string', enum: WEBHOOK_EVENT_KINDS }, 'Only events of this kind')
  @ApiAnswer(CountDroppedReply)
  @ApiRefusals('INVALID_VALUE')
  async count(@SignedIn() { account }: ConsoleUser, @Query() query: DroppedQuery): Promise<Success<CountDroppedReply>> {
    const since = query.since ?? new Date(Date.now() - DAY_MS).toISOString();
    return { success: true, ...(await this.webhooks.countDropped({ accountId: account.id, ...query, since })) };
  }

  @Get(':replayId')
  @Roles('viewer')
  @ApiOperation({ operationId: 'getReplay', summary: 'Retrieve a replay with its progress' })
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
