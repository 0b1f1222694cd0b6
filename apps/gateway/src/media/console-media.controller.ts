import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Roles } from '../decorators/roles.decorator';
import { Download } from '../rate-limits/read-limiter';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';
import { ApiRefusals } from '../openapi/decorators';
import { MediaService, type MediaServing } from './media.service';

/** Types that a page may show inline. All others, such as SVG with scripts, are downloads. */
const SHOWN = /^(image\/(jpeg|png|gif|webp)|video\/(mp4|3gpp)|audio\/(aac|amr|mpeg|mp4|ogg)|application\/pdf)(;.*)?$/;
const SERVING: MediaServing = {
  allowedTypes: SHOWN,
  // The file comes from an unknown sender and is served from the console's origin, so it must not run scripts when
  // opened directly.
  headers: {
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
  },
};
const BYTES = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };

@ApiTags('Messages')
@Controller('console/v1/media')
export class ConsoleMediaController {
  constructor(private readonly media: MediaService) {}

  @Get(':mediaId')
  @Download()
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getMedia',
    summary: 'Download a file that a customer sent',
    description: 'Supports `Range` with a single range, and `If-None-Match` with the `ETag`.',
  })
  @ApiProduces('application/octet-stream')
  @ApiResponse({
    status: 200,
    description: 'The file; with its own content type if browsers can display it safely',
    content: BYTES,
  })
  @ApiResponse({ status: 206, description: 'The requested range', content: BYTES })
  @ApiResponse({ status: 304, description: 'Not modified' })
  @ApiRefusals('NOT_FOUND', 'RANGE_NOT_SATISFIABLE', 'UPSTREAM_ERROR', 'UPSTREAM_TIMEOUT')
  show(
    @SignedIn() { account }: ConsoleUser,
    @Param('mediaId') mediaId: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.media.send({ accountId: account.id, mediaId }, SERVING, { request, reply });
  }
}
