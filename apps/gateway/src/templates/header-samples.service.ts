import { Inject, Injectable } from '@nestjs/common';
import { BLOBS, type BlobStore } from '@switchboard/blobs';
import {
  AppError,
  HEADER_SAMPLE_TYPES,
  headerFormatOf,
  headerSampleKey,
  type HeaderSampleType,
  isMediaType,
  mediaLimitOf,
  newId,
} from '@switchboard/contracts';
import { CONFIG, LOGGER, type Logger } from '@switchboard/platform';
import type { FastifyRequest } from 'fastify';
import type { NewHeaderSample } from './template-changes';
import type { GatewayConfig } from '../config';
import { storeBlob } from '../http/blobs';
import { kindOf, SAMPLE_BYTES } from '../http/file-kind';
import { filenameOf } from '../http/filename';
import { type FormFile, readForm } from '../http/form-reader';

const FIELD = 'file';
const MIB = 1_048_576;

/** Takes files that show the reviewers a template's header: into the blob store, judged while they arrive. */
@Injectable()
export class HeaderSamplesService {
  constructor(
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Reads the form with the file, which is in the blob store then. One that no command takes is removed after a day.
   * @throws AppError for whatever is wrong with the form or its file: then nothing is stored
   */
  async receive(request: FastifyRequest, accountId: string): Promise<NewHeaderSample> {
    const sampleId = newId('med');
    try {
      const { file } = await readForm(request.raw, {
        deadlineMs: this.config.UPLOAD_TIMEOUT_SECONDS * 1_000,
        takeFile: (given) => this.store(headerSampleKey(accountId, sampleId), given),
      });
      if (!file)
        throw new AppError('MISSING_FIELD', {
          message: `${FIELD} is required`,
          details: [{ field: FIELD, message: `${FIELD} is required` }],
        });
      return { sampleId, ...file };
    } catch (error) {
      await this.discard(accountId, sampleId);
      throw error;
    }
  }

  /** Removes a file that no command took. What cannot be removed now goes after a day. */
  async discard(accountId: string, sampleId: string): Promise<void> {
    const blobKey = headerSampleKey(accountId, sampleId);
    await this.blobs
      .delete(blobKey)
      .catch((cause: unknown) => this.logger.warn({ err: cause, blobKey }, 'header-sample.discard-failed'));
  }

  private async store(
    key: string,
    { field, filename, content: source }: FormFile,
  ): Promise<Omit<NewHeaderSample, 'sampleId'>> {
    if (field !== FIELD) throw new AppError('INVALID_PARAMETER', { message: `upload the file in the field ${FIELD}` });
    const seen: Seen = {};
    const content = checkedContent(source, { seen, mostBytes: this.config.HEADER_SAMPLE_MAX_MEGABYTES * MIB });
    const { bytes } = await storeBlob(this.blobs, { key, source, content });
    return { mimeType: seen.type!, bytes, filename: filenameOf(filename) };
  }
}

/** What the first bytes have told. */
interface Seen {
  type?: HeaderSampleType;
}

/** Passes a file on once its first bytes are judged, and stops it as soon as it is too large for its type. */
async function* checkedContent(
  content: AsyncIterable<Buffer>,
  { seen, mostBytes }: { seen: Seen; mostBytes: number },
): AsyncGenerator<Buffer> {
  const begun: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (seen.type === undefined) begun.push(chunk);
    if (seen.type === undefined && bytes >= SAMPLE_BYTES) seen.type = await judgedType(begun);
    if (seen.type === undefined) continue;
    assertFits(seen.type, bytes, mostBytes);
    yield begun.length > 0 ? Buffer.concat(begun.splice(0)) : chunk;
  }
  if (bytes === 0) throw new AppError('FILE_INVALID', { message: 'the file cannot be read: it is empty' });
  if (seen.type !== undefined) return;
  seen.type = await judgedType(begun);
  assertFits(seen.type, bytes, mostBytes);
  yield Buffer.concat(begun);
}

/** By the bytes alone, whatever the sender calls it. @throws AppError UNSUPPORTED_MEDIA */
async function judgedType(begun: Buffer[]): Promise<HeaderSampleType> {
  const kind = await kindOf(Buffer.concat(begun), undefined);
  const type = HEADER_SAMPLE_TYPES.find((candidate) => candidate === kind);
  if (type) return type;
  throw new AppError('UNSUPPORTED_MEDIA', {
    message: `this kind of media is not supported: the file is ${kind}; a sample is ${HEADER_SAMPLE_TYPES.join(', ')}`,
  });
}

/** @throws AppError PAYLOAD_TOO_LARGE, naming the limit */
function assertFits(type: HeaderSampleType, bytes: number, mostBytes: number): void {
  const media = headerFormatOf(type).toLowerCase();
  const most = isMediaType(media) ? Math.min(mostBytes, mediaLimitOf(media).maxBytes) : mostBytes;
  if (bytes <= most) return;
  throw new AppError('PAYLOAD_TOO_LARGE', {
    message: `the file is too large: at most ${most / MIB} MB for a header of format ${headerFormatOf(type)}`,
  });
}
