import { Controller, Get, Headers, Inject, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import { DATA_KINDS } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import { IsOptional, IsString } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config';
import { EventStream } from '../decorators/event-stream.decorator';
import { Roles } from '../decorators/roles.decorator';
import { ApiFilter, ApiRefusals } from '../openapi/decorators';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';
import { tokenOf } from '../sessions/session-cookie';
import { LiveStreams } from './live-streams.service';

const EVENT_STREAM = 'text/event-stream';
const ABOUT = `Server-sent events. \`hint\` reports that data changed: \`{ at, changes: [{ kind, ids? }] }\`, with the kinds ${DATA_KINDS.map((kind) => `\`${kind}\``).join(', ')}. It contains no content; read the changed data from its own route. \`ids\` is absent if there are many. \`resync\` means that hints may have been missed. \`ready\` follows the events that were missed since \`Last-Event-ID\`. \`presence\` reports what a colleague does in a conversation: \`{ contactId, userId, state }\`. It is not repeated after a reconnection. \`heartbeat\` has no meaning of its own.

The stream ends soon after the session ends or the user's role changes. Opening it does not extend an idle session.`;

class ListenQuery {
  @IsOptional() @IsString() lastEventId?: string;
}

@ApiTags('Live events')
@Controller('console/v1/events')
export class ConsoleLiveController {
  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly streams: LiveStreams,
  ) {}

  @Get()
  @EventStream()
  @Roles('viewer')
  @ApiOperation({ operationId: 'listenToEvents', summary: 'Stream hints about changed data', description: ABOUT })
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'ID of the last event received' })
  @ApiFilter('lastEventId', { type: 'string' }, 'Same as the header `Last-Event-ID`, which takes precedence')
  @ApiProduces(EVENT_STREAM)
  @ApiResponse({
    status: 200,
    description: 'Events until either side closes the connection',
    content: { [EVENT_STREAM]: { schema: { type: 'string' } } },
  })
  @ApiRefusals()
  async listen(
    @SignedIn() user: ConsoleUser,
    @Headers('last-event-id') header: string | undefined,
    @Query() query: ListenQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    reply.headers({
      'content-type': EVENT_STREAM,
      'cache-control': 'no-store, no-transform',
      // Disables the response buffer of nginx.
      'x-accel-buffering': 'no',
    });
    if (request.method === 'HEAD') return void (await reply.send());
    const token = tokenOf(request.headers.cookie, this.config) ?? '';
    const stream = this.streams.open({ user, token, lastEventId: header ?? query.lastEventId });
    reply.raw.once('close', () => stream.destroy());
    if (reply.raw.destroyed) stream.destroy();
    await reply.send(stream);
  }
}
