import { Inject, Injectable } from '@nestjs/common';
import { BLOBS, type BlobStore } from '@switchboard/blobs';
import {
  type AddHeaderSampleCommand,
  AppError,
  fitsHeader,
  headerFormatOf,
  headerSampleKey,
  type HeaderSampleRecord,
  isId,
  MOST_HEADER_SAMPLES,
  notFound,
  type TemplateFault,
  TOO_MANY_HEADER_SAMPLES,
} from '@switchboard/contracts';
import { type Transaction, Transactions } from '@switchboard/database';
import { CONFIG } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { cardsOf, componentOf, isJson, type Json } from '@switchboard/template-rules';
import type { TemplatesConfig } from '../config';
import { countSamples, findSample, insertSample, lockSamples, type SampleRow } from './header-samples.queries';
import { HEADER } from './template-sample.entity';
import { type PlacedSample, placeSamples, releaseBeyondQuota } from './template-samples.queries';

const MIB = 1_048_576;
const GONE = 'The sample of the header is no longer there: upload the file again and change the draft.';

/** A sample whose bytes can be read from any offset. */
export interface OpenSample extends SampleRow {
  open(offset: number): Promise<AsyncIterable<Uint8Array>>;
}

/** A draft refers to a sample that no longer exists. The draft's author sees the message. */
export class SampleGoneError extends Error {}

/** Stores sample files, which show the platform's reviewers an example of a template's header. */
@Injectable()
export class HeaderSamples {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(CONFIG) private readonly config: Pick<TemplatesConfig, 'TEMPLATE_SAMPLES_QUOTA_MB'>,
  ) {}

  /**
   * Registers a file from the blob store. Repeating the command returns the existing sample.
   * @throws AppError INVALID_VALUE when the account has reached its limit of samples
   */
  async addSample({ accountId, sampleId: id, ...file }: AddHeaderSampleCommand): Promise<HeaderSampleRecord> {
    return this.transactions.run(async (tx) => {
      await lockSamples(tx, accountId);
      const known = await findSample(tx, accountId, id);
      if (known) return toRecord(known);
      if ((await countSamples(tx, accountId)) >= MOST_HEADER_SAMPLES)
        throw new AppError('INVALID_VALUE', { message: TOO_MANY_HEADER_SAMPLES });
      return toRecord(await insertSample(tx, { ...file, accountId, id, filename: file.filename ?? null }));
    });
  }

  countSamples(accountId: string): Promise<number> {
    return countSamples(this.dataSource, accountId);
  }

  /** @throws AppError NOT_FOUND */
  async getSample(accountId: string, sampleId: string): Promise<HeaderSampleRecord> {
    const row = await findSample(this.dataSource, accountId, sampleId);
    if (!row) throw notFound('file');
    return toRecord(row);
  }

  /** Returns a fault for each sample of a draft that is missing, belongs to another account or has another format. */
  async faultsOf(tx: Transaction, accountId: string, components: readonly Json[]): Promise<TemplateFault[]> {
    const faults: TemplateFault[] = [];
    for (const { field, format, sampleId } of samplesIn(components)) {
      const row = await findSample(tx, accountId, sampleId);
      if (!row) faults.push({ field, message: 'the sample does not exist or was deleted: upload the file again' });
      else if (!fitsHeader(row.mimeType, format)) {
        const message = `the sample is ${row.mimeType}: it fits a header of format ${headerFormatOf(row.mimeType)}`;
        faults.push({ field, message });
      }
    }
    return faults;
  }

  /**
   * Opens each stored sample in a draft's headers once.
   * @throws SampleGoneError
   */
  async openSamplesOf(accountId: string, components: readonly Json[]): Promise<OpenSample[]> {
    const ids = [...new Set(samplesIn(components).map(({ sampleId }) => sampleId))];
    return Promise.all(ids.map((sampleId) => this.openSample(accountId, sampleId)));
  }

  /** Retains the samples of a submitted template until the template is deleted or submitted with others. */
  async retainSamples(
    tx: Transaction,
    template: { accountId: string; templateId: string },
    components: readonly Json[],
  ): Promise<void> {
    const samples = samplesIn(components).map(({ card, sampleId }) => ({ card, sampleId }));
    await placeSamples(tx, template, samples);
    await releaseBeyondQuota(tx, template.accountId, this.config.TEMPLATE_SAMPLES_QUOTA_MB * MIB);
  }

  private async openSample(accountId: string, sampleId: string): Promise<OpenSample> {
    const row = await findSample(this.dataSource, accountId, sampleId);
    const key = headerSampleKey(accountId, sampleId);
    if (!row || !(await this.blobs.stat(key))) throw new SampleGoneError(GONE);
    const open = async (offset: number): Promise<AsyncIterable<Uint8Array>> =>
      (await this.blobs.get(key, { start: offset, end: row.bytes - 1 })).stream;
    return { ...row, open };
  }
}

/** A stored sample that a header refers to. */
interface NamedSample extends PlacedSample {
  field: string;
  format: unknown;
}

/** Returns the stored samples in the headers of a draft and its cards. */
function samplesIn(components: readonly Json[]): NamedSample[] {
  return [
    ...sampleIn(components, '', HEADER),
    ...cardsOf(components).flatMap((card, index) => sampleIn(card, `carousel.cards.${index}.`, index)),
  ];
}

function sampleIn(components: readonly Json[], place: string, card: number): NamedSample[] {
  const header = componentOf(components, 'HEADER');
  const sampleId = header && sampleIdOf(header);
  if (sampleId === undefined) return [];
  return [{ card, field: `${place}header.example.header_handle`, format: header?.format, sampleId }];
}

/** Returns the id of a stored sample, or undefined for a platform handle or a header without a file. */
export function sampleIdOf({ example }: Json): string | undefined {
  const handles: unknown = isJson(example) ? example.header_handle : undefined;
  const given: unknown = Array.isArray(handles) ? handles[0] : undefined;
  return typeof given === 'string' && isId('med', given) ? given : undefined;
}

function toRecord({ createdAt, ...row }: SampleRow): HeaderSampleRecord {
  return { ...row, format: headerFormatOf(row.mimeType), createdAt: createdAt.toISOString() };
}
