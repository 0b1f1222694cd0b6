import { Controller, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import { BLOBS, type BlobStore } from '@switchboard/blobs';
import {
  Answer,
  AppError,
  BodySchema,
  Doc,
  headerSampleKey,
  HeaderSampleReply,
  MediaFileRecord,
  MOST_HEADER_SAMPLES,
  TOO_MANY_HEADER_SAMPLES,
} from '@switchboard/contracts';
import { TemplatesClient } from '@switchboard/service-clients';
import { IsString } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Roles } from '../decorators/roles.decorator';
import { Download } from '../rate-limits/read-limiter';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { isRefusal } from '../audit-log/audited-changes';
import { TemplateChanges } from './template-changes';
import { attachment } from '../http/attachment';
import { readBlob } from '../http/blobs';
import { TakesForms } from '../http/form-parser';
import { isForm } from '../http/form-reader';
import { requireId } from '../http/path-ids';
import { ApiAnswer, ApiBodies, ApiRefusals, type Success } from '../openapi/decorators';
import { rangeOf } from '../http/byte-range';
import { HeaderSamplesService } from './header-samples.service';
import { SampleFilesService } from './sample-files.service';

@BodySchema({ name: 'HeaderSampleUpload', example: () => ({ file: 'the bytes of menu.png' }) })
class HeaderSampleUpload {
  @Doc(
    'image: jpeg, png, at most 5 MB; video: mp4, 16 MB; document: pdf, 100 MB. The type is detected from the content',
    {
      contentMediaType: 'application/octet-stream',
      format: 'binary',
    },
  )
  @IsString()
  file: string;
}

@Answer({ name: 'SendableHeaderSample' })
class SendableHeaderSample extends MediaFileRecord {}

@ApiTags('Templates')
@Controller('console/v1/templates/header-samples')
export class ConsoleHeaderSamplesController {
  constructor(
    private readonly templates: TemplatesClient,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    private readonly files: HeaderSamplesService,
    private readonly changes: TemplateChanges,
    private readonly sendable: SampleFilesService,
  ) {}

  @Post()
  @TakesForms()
  @Roles('admin')
  @ApiOperation({
    operationId: 'uploadHeaderSample',
    summary: 'Upload a sample for a template header',
    description:
      'Use its ID in `example.header_handle` of the header of a draft. The file is uploaded to the upstream platform when the draft is submitted. The sample is retained with the template. Samples that no template and no open draft uses are deleted after some days.',
  })
  @ApiBodies({ multipart: HeaderSampleUpload })
  @ApiAnswer(HeaderSampleReply, { status: 201 })
  @ApiRefusals('MISSING_FIELD', 'INVALID_VALUE', 'FILE_INVALID', 'UNSUPPORTED_MEDIA', 'PAYLOAD_TOO_LARGE')
  async upload(@SignedIn() user: ConsoleUser, @Req() request: FastifyRequest): Promise<Success<HeaderSampleReply>> {
    if (!isForm(request))
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', {
        message: 'this content type is not supported: send multipart/form-data',
      });
    const accountId = user.account.id;
    const { samples } = await this.templates.countHeaderSamples({ accountId });
    if (samples >= MOST_HEADER_SAMPLES) throw new AppError('INVALID_VALUE', { message: TOO_MANY_HEADER_SAMPLES });
    const file = await this.files.receive(request, accountId);
    try {
      return { success: true, sample: await this.changes.addHeaderSample(changeBy(user), file) };
    } catch (error) {
      if (isRefusal(error)) await this.files.discard(accountId, file.sampleId);
      throw error;
    }
  }

  @Post(':sampleId/media')
  @HttpCode(200)
  @Roles('agent')
  @ApiOperation({
    operationId: 'sendableHeaderSample',
    summary: 'Make a sample sendable as an uploaded file',
    description: 'Use the ID of the file as the header of a message or job. A repeated call returns the same file.',
  })
  @ApiAnswer(SendableHeaderSample)
  @ApiRefusals('NOT_FOUND', 'MEDIA_QUOTA_EXCEEDED')
  async makeSendable(
    @SignedIn() user: ConsoleUser,
    @Param('sampleId') sampleId: string,
  ): Promise<Success<SendableHeaderSample>> {
    return { success: true, ...(await this.sendable.makeSendable(changeBy(user), requireId('med', sampleId))) };
  }

  @Get(':sampleId')
  @Download()
  @Roles('viewer')
  @ApiOperation({ operationId: 'getHeaderSample', summary: 'Download a sample for a template header' })
  @ApiProduces('application/octet-stream')
  @ApiResponse({
    status: 200,
    description: 'The file, with its `Content-Type`',
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  })
  @ApiResponse({
    status: 206,
    description: 'The requested range, which some browsers need for playing video',
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  })
  @ApiRefusals('NOT_FOUND', 'RANGE_NOT_SATISFIABLE')
  async show(
    @SignedIn() { account }: ConsoleUser,
    @Param('sampleId') given: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const sampleId = requireId('med', given);
    const { sample } = await this.templates.getHeaderSample({ accountId: account.id, sampleId });
    const range = rangeOf(request.headers.range, sample.bytes);
    if (range === 'none') {
      reply.header('content-range', `bytes */${sample.bytes}`);
      throw new AppError('RANGE_NOT_SATISFIABLE');
    }
    const part = range === 'whole' ? undefined : range;
    const { stream, bytes } = await readBlob(this.blobs, headerSampleKey(account.id, sampleId), part);
    // Releases the stream after a disconnect or a HEAD request.
    reply.raw.once('close', () => stream.destroy());
    if (request.method === 'HEAD') stream.destroy();
    if (part) reply.status(206).header('content-range', `bytes ${part.start}-${part.end}/${sample.bytes}`);
    reply.headers({
      'cache-control': 'private, no-store',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-type': sample.mimeType,
      'content-length': bytes,
      // Pages still embed it as a picture. Opened directly, it is downloaded, never shown on the console's origin.
      'content-disposition': attachment(sample.filename),
    });
    await reply.send(stream);
  }
}
