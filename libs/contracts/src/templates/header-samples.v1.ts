import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { Answer, BodySchema, Doc, IsTime, Nested, OrNull } from '../body-docs';
import { command } from '../message-contract';
import { IsStorableText } from '../validation';

export const HEADER_SAMPLE_FORMATS = ['IMAGE', 'VIDEO', 'DOCUMENT'] as const;
export type HeaderSampleFormat = (typeof HEADER_SAMPLE_FORMATS)[number];
export const HEADER_SAMPLE_TYPES = ['image/jpeg', 'image/png', 'video/mp4', 'application/pdf'] as const;
export type HeaderSampleType = (typeof HEADER_SAMPLE_TYPES)[number];

/** Returns the header format for which a file of this type can be a sample. */
export function headerFormatOf(type: HeaderSampleType): HeaderSampleFormat {
  if (type === 'application/pdf') return 'DOCUMENT';
  return type === 'video/mp4' ? 'VIDEO' : 'IMAGE';
}

/**
 * Checks whether a file of this type can be a sample for the header format. The platform treats a GIF as a short video.
 */
export function fitsHeader(type: HeaderSampleType, format: unknown): boolean {
  return headerFormatOf(type) === format || (type === 'video/mp4' && format === 'GIF');
}

/** Blob key prefix of header samples. */
export const HEADER_SAMPLES = 'header-samples/';
export const headerSampleKey = (accountId: string, sampleId: string): string =>
  `${HEADER_SAMPLES}${accountId}/${sampleId}`;

/** Example file for a template header, shown to the platform's reviewers. */
@BodySchema({ name: 'HeaderSample' })
export class HeaderSampleRecord {
  @Doc("Value for `example.header_handle` of a draft's header") @IsString() id: string;
  @Doc('Format of headers that can use the sample; a VIDEO is also valid for headers of format GIF')
  @IsIn(HEADER_SAMPLE_FORMATS)
  format: HeaderSampleFormat;
  @IsIn(HEADER_SAMPLE_TYPES) mimeType: HeaderSampleType;
  @IsInt() bytes: number;
  @OrNull() @IsString() filename: string | null;
  @IsTime() createdAt: string;
}

const record: HeaderSampleRecord = {
  id: 'med_01jd0000000000000000000000',
  format: 'IMAGE',
  mimeType: 'image/png',
  bytes: 48_213,
  filename: 'menu.png',
  createdAt: '2026-11-20T09:30:00.000Z',
};

@Answer({ name: 'HeaderSampleAnswer' })
export class HeaderSampleReply {
  @Nested(() => HeaderSampleRecord) sample: HeaderSampleRecord;
}

export class AddHeaderSampleCommand {
  @IsString() accountId: string;
  @IsString() sampleId: string;
  @IsIn(HEADER_SAMPLE_TYPES) mimeType: HeaderSampleType;
  @IsInt() @Min(1) @Max(104_857_600) bytes: number;
  @IsOptional() @IsString() @IsStorableText() @MaxLength(240) filename?: string;
}

export const addHeaderSampleV1 = command({
  name: 'templates.add-header-sample.v1',
  owner: 'templates',
  description: 'Registers a file in the blob store as a sample for template headers.',
  request: AddHeaderSampleCommand,
  response: HeaderSampleReply,
  changes: true,
  timeoutMs: 5_000,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      sampleId: record.id,
      mimeType: record.mimeType,
      bytes: record.bytes,
      filename: 'menu.png',
    },
    response: { sample: record },
  },
});

/** Maximum samples of an account that no template uses yet. */
export const MOST_HEADER_SAMPLES = 200;

export const TOO_MANY_HEADER_SAMPLES = `the account has ${MOST_HEADER_SAMPLES} samples already: the service removes those that no template and no draft needs after some days`;

export class CountHeaderSamplesCommand {
  @IsString() accountId: string;
}

export class CountHeaderSamplesReply {
  @IsInt() samples: number;
}

export const countHeaderSamplesV1 = command({
  name: 'templates.count-header-samples.v1',
  owner: 'templates',
  description: "Returns the number of an account's samples. Called before reading a file that would be rejected.",
  request: CountHeaderSamplesCommand,
  response: CountHeaderSamplesReply,
  changes: false,
  timeoutMs: 5_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000' }, response: { samples: 3 } },
});

export class GetHeaderSampleCommand {
  @IsString() accountId: string;
  @IsString() sampleId: string;
}

export const getHeaderSampleV1 = command({
  name: 'templates.get-header-sample.v1',
  owner: 'templates',
  description: 'Returns a header sample. NOT_FOUND if it was deleted or belongs to another account.',
  request: GetHeaderSampleCommand,
  response: HeaderSampleReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', sampleId: record.id },
    response: { sample: record },
  },
});
