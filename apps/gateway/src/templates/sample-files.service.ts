import { Inject, Injectable } from '@nestjs/common';
import { BLOBS, type BlobStore } from '@switchboard/blobs';
import {
  AddMediaFileCommand,
  type AddMediaFileReply,
  AppError,
  headerSampleKey,
  type HeaderSampleRecord,
  type MediaFileRecord,
  newId,
} from '@switchboard/contracts';
import { MessagingClient, TemplatesClient } from '@switchboard/service-clients';
import { AuditedChanges, isRefusal } from '../audit-log/audited-changes';
import { readBlob } from '../http/blobs';
import { requireMediaType } from '../http/file-kind';
import { FormStore } from '../http/form-store';
import type { ChangeBy } from '../request-context/console-user';

/** A file that is deleted sooner is added again, because the caller is about to send it. */
const MIN_RETENTION_MS = 24 * 3_600_000;

/** Copies header samples into uploaded files, which messages and jobs can send by id. */
@Injectable()
export class SampleFilesService {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly templates: TemplatesClient,
    private readonly changes: AuditedChanges,
    private readonly forms: FormStore,
    @Inject(BLOBS) private readonly blobs: BlobStore,
  ) {}

  /**
   * Returns the uploaded file with the content of a sample. The file has the id of the sample, so that a repeated call
   * adds no second file.
   * @throws AppError NOT_FOUND, MEDIA_QUOTA_EXCEEDED
   */
  async makeSendable(by: ChangeBy, sampleId: string): Promise<MediaFileRecord> {
    const { accountId } = by;
    const { sample } = await this.templates.getHeaderSample({ accountId, sampleId });
    const file = await this.messaging.getMediaFile({ accountId, mediaId: sampleId }).catch(absent);
    if (file && Date.parse(file.expiresAt) > Date.now() + MIN_RETENTION_MS) return file;
    // An uploaded file keeps its id for a while after its deletion. Its successor then gets another one.
    const added = (await this.add(by, sample, sampleId).catch(absent)) ?? (await this.add(by, sample, newId('med')));
    const { blobKey: _blobKey, ...record } = added;
    return record;
  }

  private async add(by: ChangeBy, sample: HeaderSampleRecord, mediaId: string): Promise<AddMediaFileReply> {
    const { accountId } = by;
    const { mimeType, filename } = sample;
    const blobKey = `media/${accountId}/${newId('med')}`;
    const { stream } = await readBlob(this.blobs, headerSampleKey(accountId, sample.id));
    const { bytes, sha256 } = await this.blobs.put(blobKey, stream, { contentType: mimeType });
    const type = requireMediaType(mimeType);
    const file = { type, mimeType, bytes, sha256, ...(filename !== null && { fileName: filename }) };
    const note = { action: 'media.upload', target: mediaId, details: { mimeType } };
    try {
      const reply = await this.changes.request(
        { ...by, ...note },
        AddMediaFileCommand,
        { mediaId, ...file, blobKey },
        (command) => this.messaging.addMediaFile(command),
      );
      if (reply.blobKey !== blobKey) await this.discard(blobKey);
      return reply;
    } catch (error) {
      // After an unknown outcome, the file may exist. If it does not, messaging deletes its bytes after a day.
      if (isRefusal(error)) await this.discard(blobKey);
      throw error;
    }
  }

  private discard(blobKey: string): Promise<void> {
    return this.forms.discard({ blobKey, discardFailed: 'media-upload.discard-failed' });
  }
}

function absent(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
  throw error;
}
