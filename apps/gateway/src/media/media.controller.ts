import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiClient, Client } from '../request-context/client';
import { Download } from '../rate-limits/read-limiter';
import { ApiRefusals } from '../openapi/decorators';
import { MediaService } from './media.service';

/** Valid MIME type; senders can set any text as a type. */
const MIME_TYPE = /^[\w.+-]{1,127}\/[\w.+-]{1,127}(; ?[\w.+-]+=[\w.+-]+)*$/;
const BYTES = { schema: { type: 'string', format: 'binary' } };

@ApiTags('Media')
@ApiBearerAuth()
@Controller('v1/media')
export class MediaController {
  constructor(private readonly media: MediaService) {}

  @Get(':id')
  @Download()
  @ApiOperation({
    operationId: 'getMedia',
    summary: 'Download a file that a customer sent',
    description:
      "Target of the `link` of an inbound message's media. Supports `Range` with a single range, and `If-None-Match` with the `ETag`.",
  })
  @ApiProduces('application/octet-stream')
  @ApiResponse({
    status: 200,
    description: 'The file, with its own `Content-Type`',
    content: { 'application/octet-stream': BYTES },
  })
  @ApiResponse({
    status: 206,
    description: 'The requested range',
    content: { 'application/octet-stream': BYTES },
  })
  @ApiResponse({ status: 304, description: 'Not modified' })
  @ApiRefusals('NOT_FOUND', 'RANGE_NOT_SATISFIABLE', 'UPSTREAM_ERROR', 'UPSTREAM_TIMEOUT')
  read(
    @Client() { account }: ApiClient,
    @Param('id') mediaId: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.media.send({ accountId: account.id, mediaId }, { allowedTypes: MIME_TYPE }, { request, reply });
  }
}
