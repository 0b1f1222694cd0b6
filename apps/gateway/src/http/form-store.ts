import { Inject, Injectable } from '@nestjs/common';
import { BLOBS, type BlobStore } from '@switchboard/blobs';
import { AppError } from '@switchboard/contracts';
import { CONFIG, LOGGER, type Logger } from '@switchboard/platform';
import type { FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config';
import { storeBlob } from './blobs';
import { type Form, type FormFile, readForm } from './form-reader';

/** Form with one file, and the checks for its file and fields. */
export interface FormUpload<File, Received> {
  blobKey: string;
  /** Name of the form field with the file. */
  field: string;
  /**
   * Returns the content to store, which throws if the file is rejected, and information about the file once it has been
   * read.
   */
  check(file: FormFile): {
    content: AsyncIterable<Uint8Array>;
    describe(stored: { bytes: number; sha256: string }): File;
  };
  /** Reads the fields after the file has been stored. */
  read(form: Form<File>): Received | Promise<Received>;
  /** Log event for a file that could not be deleted. */
  discardFailed: string;
}

/** Receives forms with a file, for sends, bulk jobs and header samples. Checks the file while it arrives. */
@Injectable()
export class FormStore {
  constructor(
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Reads the form of a request and stores its file. The service that uses the file deletes it.
   * @throws AppError from the checks; nothing is stored then
   */
  async receive<File, Received>(request: FastifyRequest, upload: FormUpload<File, Received>): Promise<Received> {
    try {
      const form = await readForm(request.raw, {
        deadlineMs: this.config.UPLOAD_TIMEOUT_SECONDS * 1_000,
        takeFile: (file) => this.store(file, upload),
      });
      return await upload.read(form);
    } catch (error) {
      await this.discard(upload);
      throw error;
    }
  }

  /** Deletes a file that is not needed. If this fails, the cleanup of old files deletes it. */
  async discard({
    blobKey,
    discardFailed,
  }: Pick<FormUpload<never, never>, 'blobKey' | 'discardFailed'>): Promise<void> {
    await this.blobs.delete(blobKey).catch((err: unknown) => this.logger.warn({ err, blobKey }, discardFailed));
  }

  private async store<File>(
    file: FormFile,
    { blobKey: key, field, check }: Pick<FormUpload<File, never>, 'blobKey' | 'field' | 'check'>,
  ): Promise<File> {
    if (file.field !== field)
      throw new AppError('INVALID_PARAMETER', { message: `upload the file in the field ${field}` });
    const { content, describe } = check(file);
    return describe(await storeBlob(this.blobs, { key, source: file.content, content }));
  }
}
