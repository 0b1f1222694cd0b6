import { Inject, Injectable } from '@nestjs/common';
import { BLOBS, type BlobStore } from '@switchboard/blobs';
import {
  type AddMediaFileCommand,
  type AddMediaFileReply,
  type MediaFileRecord,
  newId as newRandomId,
} from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import type { FastifyRequest } from 'fastify';
import { isRefusal } from '../audit-log/audited-changes';
import { type CheckedFile, checkedFile, fileOf } from '../http/checked-file';
import { assertSize, requireMediaType } from '../http/file-kind';
import { FormStore } from '../http/form-store';
import { missingFile } from '../http/missing-file';
import type { NewIdFunction } from '../idempotency/derived-ids';
import { IdempotencyService } from '../idempotency/idempotency.service';

const DISCARD_FAILED = 'media-upload.discard-failed';

/** Account that uploads a file, and how its id is created. */
export interface Uploader {
  account: { id: string };
  newId: NewIdFunction;
  /** Wraps the change in an audit log entry, for callers whose changes are audited. */
  noted?: (command: AddMediaFileCommand, add: () => Promise<AddMediaFileReply>) => Promise<AddMediaFileReply>;
}

/** Receives the files that accounts upload once and send often. */
@Injectable()
export class MediaUploadsService {
  constructor(
    private readonly forms: FormStore,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    private readonly messaging: MessagingClient,
    private readonly idempotency: IdempotencyService,
  ) {}

  /**
   * Stores the file of a form durably.
   * @throws AppError for an invalid form or file, or MEDIA_QUOTA_EXCEEDED; nothing is stored
   */
  async upload(request: FastifyRequest, { account, newId, noted }: Uploader): Promise<MediaFileRecord> {
    // A repeat must not replace the bytes of the first request, so the key is not derived from the Idempotency-Key.
    const blobKey = `media/${account.id}/${newRandomId('med')}`;
    const { filename: fileName, mimeType, bytes, sha256 } = await this.receive(request, blobKey);
    let isSubmitted = false;
    try {
      await this.idempotency.begin(request, JSON.stringify([sha256, fileName]));
      const type = requireMediaType(mimeType);
      const facts = { type, mimeType, bytes, sha256, ...(fileName !== undefined && { fileName }) };
      const command = { accountId: account.id, mediaId: newId('med'), ...facts, blobKey };
      const add = (): Promise<AddMediaFileReply> => {
        isSubmitted = true;
        return this.messaging.addMediaFile(command);
      };
      const { blobKey: storedKey, ...record } = await (noted ? noted(command, add) : add());
      // An earlier request with this Idempotency-Key has added the file.
      if (storedKey !== blobKey) await this.discard(blobKey);
      return record;
    } catch (error) {
      // After an unknown outcome, the file may exist. If it does not, messaging deletes its bytes after a day.
      if (!isSubmitted || isRefusal(error)) await this.discard(blobKey);
      throw error;
    }
  }

  private receive(request: FastifyRequest, blobKey: string): Promise<CheckedFile> {
    return this.forms.receive(request, {
      blobKey,
      discardFailed: DISCARD_FAILED,
      field: 'file',
      check: (file) => checkedFile(blobKey, file, 'any'),
      read: async ({ fields, file }) => {
        request.formFields = fields;
        if (!file) throw missingFile('file');
        const checked = await fileOf(this.blobs, file);
        assertSize(requireMediaType(checked.mimeType), checked.bytes, checked.isStill);
        return checked;
      },
    });
  }

  private discard(blobKey: string): Promise<void> {
    return this.forms.discard({ blobKey, discardFailed: DISCARD_FAILED });
  }
}
