import { Inject, Injectable } from '@nestjs/common';
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
import { CONFIG } from '@switchboard/platform';
import type { FastifyRequest } from 'fastify';
import type { NewHeaderSample } from './template-changes';
import type { GatewayConfig } from '../config';
import { kindOf, SAMPLE_BYTES } from '../http/file-kind';
import { filenameOf } from '../http/filename';
import { FormStore } from '../http/form-store';
import { missingFile } from '../http/missing-file';

const FIELD = 'file';
const DISCARD_FAILED = 'header-sample.discard-failed';
const MIB = 1_048_576;

/** Receives sample files for template headers, and checks them during the upload. */
@Injectable()
export class HeaderSamplesService {
  constructor(
    private readonly forms: FormStore,
    @Inject(CONFIG) private readonly config: GatewayConfig,
  ) {}

  /**
   * Reads the form and stores its file. An unused file is deleted after a day.
   * @throws AppError for an invalid form or file; nothing is stored then
   */
  receive(request: FastifyRequest, accountId: string): Promise<NewHeaderSample> {
    const sampleId = newId('med');
    return this.forms.receive(request, {
      blobKey: headerSampleKey(accountId, sampleId),
      discardFailed: DISCARD_FAILED,
      field: FIELD,
      check: ({ content, filename }) => {
        const seen: Seen = {};
        return {
          content: checkedContent(content, { seen, mostBytes: this.config.HEADER_SAMPLE_MAX_MEGABYTES * MIB }),
          describe: ({ bytes }) => ({ mimeType: seen.type!, bytes, filename: filenameOf(filename) }),
        };
      },
      read: ({ file }) => {
        if (!file) throw missingFile(FIELD);
        return { sampleId, ...file };
      },
    });
  }

  /** Deletes an unused file. If this fails, it is deleted after a day. */
  discard(accountId: string, sampleId: string): Promise<void> {
    return this.forms.discard({ blobKey: headerSampleKey(accountId, sampleId), discardFailed: DISCARD_FAILED });
  }
}

/** Result of checking the first bytes. */
interface Seen {
  type?: HeaderSampleType;
}

/** Passes a file on after checking its first bytes. Throws once it is too large for its type. */
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

/**
 * Detects the type from the content only, ignoring the type that the sender gave. @throws AppError UNSUPPORTED_MEDIA
 */
async function judgedType(begun: Buffer[]): Promise<HeaderSampleType> {
  const kind = await kindOf(Buffer.concat(begun), undefined);
  const type = HEADER_SAMPLE_TYPES.find((candidate) => candidate === kind);
  if (type) return type;
  throw new AppError('UNSUPPORTED_MEDIA', {
    message: `this kind of media is not supported: the file is ${kind}; a sample is ${HEADER_SAMPLE_TYPES.join(', ')}`,
  });
}

/** @throws AppError PAYLOAD_TOO_LARGE with the limit */
function assertFits(type: HeaderSampleType, bytes: number, mostBytes: number): void {
  const media = headerFormatOf(type).toLowerCase();
  const most = isMediaType(media) ? Math.min(mostBytes, mediaLimitOf(media).maxBytes) : mostBytes;
  if (bytes <= most) return;
  throw new AppError('PAYLOAD_TOO_LARGE', {
    message: `the file is too large: at most ${most / MIB} MB for a header of format ${headerFormatOf(type)}`,
  });
}
