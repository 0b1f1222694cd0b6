import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { BlobStore } from '@switchboard/blobs';
import { Broker } from '@switchboard/broker';
import { AppError, type GetMediaReply, getMediaV1, isId } from '@switchboard/contracts';
import contentDisposition from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiClient, Client } from '../../caller/client';
import { Download } from '../../access/read-places';
import { namesTag } from '../../http/entity-tags';
import { ApiRefusals } from '../../openapi/decorators';
import { BLOBS, readBlob } from '../../http/blobs';
import { rangeOf } from '../../http/byte-range';

/** A type that comes from whoever sent the file must at least be one. */
const MIME_TYPE = /^[\w.+-]{1,127}\/[\w.+-]{1,127}(; ?[\w.+-]+=[\w.+-]+)*$/;
/**
 * No cache on the way keeps a customer's file; who has a copy of its own asks with its `ETag` whether that is still
 * right.
 */
const CACHING = { 'cache-control': 'private, no-store', 'accept-ranges': 'bytes' };
const BYTES = { schema: { type: 'string', format: 'binary' } };

@ApiTags('Media')
@ApiBearerAuth()
@Controller('v1/media')
export class MediaController {
  constructor(
    private readonly broker: Broker,
    @Inject(BLOBS) private readonly blobs: BlobStore,
  ) {}

  @Get(':id')
  @Download()
  @ApiOperation({
    operationId: 'getMedia',
    summary: 'Download a file that a customer sent',
    description:
      "The `link` of an inbound message's media. Takes `Range` with one part, and `If-None-Match` with the `ETag`.",
  })
  @ApiProduces('application/octet-stream')
  @ApiResponse({
    status: 200,
    description: 'The file, with its own `Content-Type`',
    content: { 'application/octet-stream': BYTES },
  })
  @ApiResponse({
    status: 206,
    description: 'The part that `Range` asks for',
    content: { 'application/octet-stream': BYTES },
  })
  @ApiResponse({ status: 304, description: 'The caller has it already' })
  @ApiRefusals('NOT_FOUND', 'RANGE_NOT_SATISFIABLE', 'UPSTREAM_ERROR', 'UPSTREAM_TIMEOUT')
  async read(
    @Client() client: ApiClient,
    @Param('id') mediaId: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (!isId('med', mediaId)) throw new AppError('NOT_FOUND');
    const media = await this.broker.request(getMediaV1, { accountId: client.account.id, mediaId });
    const etag = `"${media.sha256}"`;
    if (namesTag(request.headers['if-none-match'], etag))
      return void reply
        .status(304)
        .headers({ ...CACHING, etag })
        .send();
    await this.send(media, { request, reply, etag });
  }

  private async send(
    media: GetMediaReply,
    { request, reply, etag }: { request: FastifyRequest; reply: FastifyReply; etag: string },
  ): Promise<void> {
    const ifRange = request.headers['if-range'];
    const range = ifRange === undefined || ifRange === etag ? rangeOf(request.headers.range, media.bytes) : 'whole';
    if (range === 'none') {
      reply.header('content-range', `bytes */${media.bytes}`);
      throw new AppError('RANGE_NOT_SATISFIABLE');
    }
    const { stream, bytes } = await readBlob(this.blobs, media.blobKey, range === 'whole' ? undefined : range);
    // What a caller who has gone, or wants the head only, leaves unread.
    reply.raw.once('close', () => stream.destroy());
    if (request.method === 'HEAD') stream.destroy();
    if (range !== 'whole')
      reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${media.bytes}`);
    reply.headers({
      ...CACHING,
      etag,
      'content-type': typeOf(media),
      'content-length': bytes,
      'content-disposition': dispositionOf(media),
    });
    await reply.send(stream);
  }
}

function typeOf({ mimeType }: GetMediaReply): string {
  return MIME_TYPE.test(mimeType) ? mimeType : 'application/octet-stream';
}

/** Always to be saved, never shown by a browser under our name: the file came from somebody unknown. */
function dispositionOf({ filename }: GetMediaReply): string {
  return contentDisposition(filename ?? undefined, { type: 'attachment' });
}
