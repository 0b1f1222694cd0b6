import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiClient, Client } from '../request-context/client';
import { Download } from '../rate-limits/read-limiter';
import { MessagingClient } from '@switchboard/service-clients';
import { RequireFeature } from '../decorators/require-feature.decorator';
import { TakesForms } from '../http/form-parser';
import { requireForm } from '../http/form-reader';
import { requireId } from '../http/path-ids';
import type { NewIdFunction } from '../idempotency/derived-ids';
import { NewId } from '../idempotency/new-id';
import { ApiAnswer, ApiBodies, ApiPaging, ApiRefusals, type Success } from '../openapi/decorators';
import { PageQuery } from '../pagination/page-query';
import { paginationOf } from '../pagination/pagination';
import { MediaFileAnswer, MediaFileDeleted, MediaFileList, MediaUpload } from './media-bodies';
import { UPLOAD_ERRORS } from './media-errors';
import { MediaService } from './media.service';
import { MediaUploadsService } from './media-uploads.service';

/** Valid MIME type; senders can set any text as a type. */
const MIME_TYPE = /^[\w.+-]{1,127}\/[\w.+-]{1,127}(; ?[\w.+-]+=[\w.+-]+)*$/;
const BYTES = { schema: { type: 'string', format: 'binary' } };

@ApiTags('Media')
@ApiBearerAuth()
@Controller('v1/media')
export class MediaController {
  constructor(
    private readonly media: MediaService,
    private readonly uploads: MediaUploadsService,
    private readonly messaging: MessagingClient,
  ) {}

  @Post()
  @HttpCode(201)
  @TakesForms()
  @RequireFeature('MEDIA')
  @ApiOperation({
    operationId: 'uploadMedia',
    summary: 'Upload a file for repeated use',
    description:
      'To send the file in messages, bulk jobs and spreadsheets, use its `id` instead of a link. The service uploads the file to the platform once per business number. The file is deleted after `expiresAt`. Each use extends `expiresAt`.',
  })
  @ApiBodies({ multipart: MediaUpload })
  @ApiAnswer(MediaFileAnswer, { status: 201 })
  @ApiRefusals(...UPLOAD_ERRORS)
  async upload(
    @Req() request: FastifyRequest,
    @Client() client: ApiClient,
    @NewId() newId: NewIdFunction,
  ): Promise<Success<MediaFileAnswer>> {
    requireForm(request);
    return { success: true, ...(await this.uploads.upload(request, { account: client.account, newId })) };
  }

  @Get()
  @ApiOperation({
    operationId: 'listMedia',
    summary: 'List uploaded files, newest first',
    description: 'Files that customers sent are not included.',
  })
  @ApiPaging()
  @ApiAnswer(MediaFileList)
  @ApiRefusals('INVALID_PARAMETER', 'INVALID_VALUE')
  async list(@Client() { account }: ApiClient, @Query() page: PageQuery): Promise<Success<MediaFileList>> {
    const reply = await this.messaging.listMediaFiles({ accountId: account.id, ...page });
    return { success: true, media: reply.media, pagination: paginationOf(page, reply) };
  }

  @Get(':id/info')
  @ApiOperation({
    operationId: 'getMediaInfo',
    summary: 'Retrieve the details of an uploaded file',
    description: '`GET /v1/media/{id}` returns the file itself.',
  })
  @ApiAnswer(MediaFileAnswer)
  @ApiRefusals('NOT_FOUND')
  async info(@Client() { account }: ApiClient, @Param('id') id: string): Promise<Success<MediaFileAnswer>> {
    const mediaId = requireId('med', id);
    return { success: true, ...(await this.messaging.getMediaFile({ accountId: account.id, mediaId })) };
  }

  @Delete(':id')
  @ApiOperation({
    operationId: 'deleteMedia',
    summary: 'Delete an uploaded file',
    description:
      'Messages already sent with the file are not affected. A file cannot be deleted while an unfinished job uses it.',
  })
  @ApiAnswer(MediaFileDeleted)
  @ApiRefusals('NOT_FOUND', 'MEDIA_IN_USE')
  async delete(@Client() { account }: ApiClient, @Param('id') id: string): Promise<Success<MediaFileDeleted>> {
    const mediaId = requireId('med', id);
    return { success: true, ...(await this.messaging.deleteMediaFile({ accountId: account.id, mediaId })) };
  }

  @Get(':id')
  @Download()
  @ApiOperation({
    operationId: 'getMedia',
    summary: 'Download a file that a customer sent or that you uploaded',
    description:
      'The `link` in the media of an inbound message points to this endpoint. Supports `Range` with a single range, and `If-None-Match` with the `ETag`.',
  })
  @ApiProduces('application/octet-stream')
  @ApiResponse({
    status: 200,
    description: 'The file, with its `Content-Type`',
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
