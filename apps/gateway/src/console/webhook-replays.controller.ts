import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Broker } from '@switchboard/broker';
import { GetReplayReply, getReplayV1, parseBody } from '@switchboard/contracts';
import { ApiAnswer, ApiBodies, ApiRefusals } from '../openapi/decorators';
import { ReplayDroppedBody } from './console.bodies';
import { ConsoleRoute } from '../access/console-route';
import { changeBy, type ConsoleUser, SignedIn } from '../caller/console-user';
import { requireId } from '../http/path-ids';
import { WebhookChanges } from '../changes/webhook-changes';

@ApiTags('Webhook events')
@Controller('console/v1/webhook-replays')
export class WebhookReplaysController {
  constructor(
    private readonly broker: Broker,
    private readonly settings: WebhookChanges,
  ) {}

  @Post()
  @ConsoleRoute('admin')
  @ApiOperation({
    operationId: 'replayDroppedEvents',
    summary: 'Replay all events dropped since a time, at a limited rate',
  })
  @ApiBodies({ json: ReplayDroppedBody })
  @ApiAnswer(GetReplayReply, { status: 201 })
  @ApiRefusals('MISSING_FIELD', 'TEXT_TOO_LONG', 'INVALID_VALUE', 'NOT_FOUND')
  async begin(@SignedIn() user: ConsoleUser, @Body() body: unknown): Promise<object> {
    return {
      success: true,
      replay: await this.settings.replayDropped(changeBy(user), parseBody(ReplayDroppedBody, body)),
    };
  }

  @Get(':replayId')
  @ConsoleRoute('viewer')
  @ApiOperation({ operationId: 'getReplay', summary: 'Get replay progress' })
  @ApiAnswer(GetReplayReply)
  @ApiRefusals('NOT_FOUND')
  async show(@SignedIn() { account }: ConsoleUser, @Param('replayId') replayId: string): Promise<object> {
    const { replay } = await this.broker.request(getReplayV1, {
      accountId: account.id,
      replayId: requireId('rpl', replayId),
    });
    return { success: true, replay };
  }
}
