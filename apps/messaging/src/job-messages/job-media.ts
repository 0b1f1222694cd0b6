import { Injectable } from '@nestjs/common';
import { AppError } from '@switchboard/contracts';
import { UpstreamError } from '@switchboard/upstream';
import type { SendableFile } from '../media-files/media-files.queries';
import type { KnownNumber } from '../numbers/number-cache';
import { SuspendedNumbers } from '../numbers/suspended-numbers';
import { faultOfReferences, referencesOf, SendMedia } from '../sends/send-media';
import { UploadService } from '../sends/upload.service';
import { type JobOutcome, outcomeOfMedia, outcomeOfUpload } from './job-outcome';
import type { DecidedMessage, PreparedMessages, ReadyMessage } from './job-preparation';

/** Uploads the files of a task's messages to the platform, each once, before the rows are written. */
@Injectable()
export class JobMedia {
  constructor(
    private readonly media: SendMedia,
    private readonly uploads: UploadService,
    private readonly suspendedNumbers: SuspendedNumbers,
  ) {}

  /** Adds the files to the messages that refer to any. Messages whose file cannot be sent are decided. */
  async attach(accountId: string, number: KnownNumber, ready: readonly ReadyMessage[]): Promise<PreparedMessages> {
    const uses = ready.map((message) => ({
      message,
      references: referencesOf({ type: message.facts.message.type, content: message.send.content }),
    }));
    const references = uses.flatMap((use) => use.references);
    if (references.length === 0) return { ready: [...ready], decided: [] };
    const known = await this.media.known(accountId, references);
    const platformIds = new Map<string, string | JobOutcome>();
    const prepared: PreparedMessages = { ready: [], decided: [] };
    for (const { message, references: own } of uses) {
      const fault = faultOfReferences(own, known);
      const files = [...new Set(own.map(({ id }) => id))].flatMap((id) => known.get(id) ?? []);
      if (fault) prepared.decided.push(decided(message, outcomeOfMedia(fault)));
      else await this.add(prepared, { message, files, number, platformIds });
    }
    return prepared;
  }

  private async add(
    { ready, decided: others }: PreparedMessages,
    { message, files, number, platformIds }: Attached,
  ): Promise<void> {
    const ids = new Map<string, string>();
    for (const file of files) {
      const result = platformIds.get(file.id) ?? (await this.upload(number, file));
      platformIds.set(file.id, result);
      if (typeof result !== 'string') return void others.push(decided(message, result));
      ids.set(file.id, result);
    }
    ready.push(files.length === 0 ? message : { ...message, files: { files, platformIds: ids } });
  }

  /** @returns the id at the platform, or the outcome of all messages with the file */
  private async upload(number: KnownNumber, file: SendableFile): Promise<string | JobOutcome> {
    try {
      const { platformIds } = await this.media.uploaded(number, [file], performance.now() + this.uploads.timeoutMs);
      return platformIds.get(file.id) ?? '';
    } catch (error) {
      if (error instanceof AppError) return outcomeOfMedia(error);
      if (!(error instanceof UpstreamError)) throw error;
      await this.suspendedNumbers.suspendIfRejected(number, error);
      return outcomeOfUpload(error);
    }
  }
}

interface Attached {
  message: ReadyMessage;
  files: readonly SendableFile[];
  number: KnownNumber;
  /** Results of the files so far, by id. */
  platformIds: Map<string, string | JobOutcome>;
}

function decided({ facts: { messageId } }: ReadyMessage, outcome: JobOutcome): DecidedMessage {
  return { messageId, outcome };
}
