import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Roles } from '../decorators/roles.decorator';
import { Download } from '../rate-limits/read-limiter';
import { type AddMediaFileCommand, Answer, GetMediaFileCommand, ListOf, MediaFileRecord } from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import { AuditedChanges } from '../audit-log/audited-changes';
import { RequireFeature } from '../decorators/require-feature.decorator';
import { TakesForms } from '../http/form-parser';
import { requireForm } from '../http/form-reader';
import { requireId } from '../http/path-ids';
import type { NewIdFunction } from '../idempotency/derived-ids';
import { NewId } from '../idempotency/new-id';
import { TakesIdempotencyKeys } from '../idempotency/takes-idempotency-keys';
import { ApiAnswer, ApiBodies, ApiCursorPaging, ApiRefusals, type Success } from '../openapi/decorators';
import { CursorQuery } from '../pagination/page-query';
import { CountedPage, countedPage } from '../pagination/pagination';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { MediaFileAnswer, MediaFileDeleted, MediaUpload } from './media-bodies';
import { UPLOAD_ERRORS } from './media-errors';
import { MediaService, type MediaServing } from './media.service';
import { MediaUploadsService } from './media-uploads.service';

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

@Answer({ name: 'ConsoleMediaList' })
class ConsoleMediaList extends CountedPage {
  @ListOf(() => MediaFileRecord) media: MediaFileRecord[];
}

@ApiTags('Messages')
@Controller('console/v1/media')
export class ConsoleMediaController {
  constructor(
    private readonly media: MediaService,
    private readonly uploads: MediaUploadsService,
    private readonly messaging: MessagingClient,
    private readonly changes: AuditedChanges,
  ) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({ operationId: 'listMedia', summary: 'List uploaded files, newest first' })
  @ApiCursorPaging()
  @ApiAnswer(ConsoleMediaList)
  @ApiRefusals('INVALID_PARAMETER')
  async list(@SignedIn() { account }: ConsoleUser, @Query() query: CursorQuery): Promise<Success<ConsoleMediaList>> {
    const reply = await this.messaging.listMediaFiles({ accountId: account.id, page: 1, ...query });
    return { success: true, media: reply.media, ...countedPage(reply) };
  }

  @Post()
  @HttpCode(201)
  @TakesForms()
  @TakesIdempotencyKeys()
  @Roles('agent')
  @RequireFeature('MEDIA')
  @ApiOperation({ operationId: 'uploadMedia', summary: 'Upload a file for repeated use' })
  @ApiBodies({ multipart: MediaUpload })
  @ApiAnswer(MediaFileAnswer, { status: 201 })
  @ApiRefusals(...UPLOAD_ERRORS, 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_MISMATCH')
  async upload(
    @Req() request: FastifyRequest,
    @SignedIn() user: ConsoleUser,
    @NewId() newId: NewIdFunction,
  ): Promise<Success<MediaFileAnswer>> {
    requireForm(request);
    const noted = <T>({ mediaId, mimeType }: AddMediaFileCommand, add: () => Promise<T>): Promise<T> =>
      this.changes.make({ ...changeBy(user), action: 'media.upload', target: mediaId, details: { mimeType } }, add);
    return { success: true, ...(await this.uploads.upload(request, { account: user.account, newId, noted })) };
  }

  @Delete(':mediaId')
  @Roles('admin')
  @ApiOperation({
    operationId: 'deleteMedia',
    summary: 'Delete an uploaded file',
    description: 'A file that an unfinished job uses cannot be deleted.',
  })
  @ApiAnswer(MediaFileDeleted)
  @ApiRefusals('NOT_FOUND', 'MEDIA_IN_USE')
  async delete(@SignedIn() user: ConsoleUser, @Param('mediaId') mediaId: string): Promise<Success<MediaFileDeleted>> {
    const entry = { ...changeBy(user), action: 'media.delete', target: requireId('med', mediaId) };
    const deleted = await this.changes.request(entry, GetMediaFileCommand, { mediaId }, (command) =>
      this.messaging.deleteMediaFile(command),
    );
    return { success: true, ...deleted };
  }

  @Get(':mediaId')
  @Download()
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getMedia',
    summary: 'Download a file that a customer sent or that you uploaded',
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
