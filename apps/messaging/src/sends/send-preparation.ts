import { Injectable } from '@nestjs/common';
import type { SendMessageCommand, UploadedFile } from '@switchboard/contracts';
import { UpstreamError } from '@switchboard/upstream';
import { type KnownNumber, NumberCache } from '../numbers/number-cache';
import { SuspendedNumbers } from '../numbers/suspended-numbers';
import { refusalOfUpload, UploadService } from './upload.service';
import { ContentCheck } from './content-check';
import { refusalOfCall } from '../messages/message-error';
import { noNumber } from './send-refusals';
import type { NewSend } from './send.repository';
import { UpstreamSender } from './upstream-sender';

/** Send that has passed all checks so far, and its number. */
export interface PreparedSend extends NewSend {
  number: KnownNumber;
  /** Deadline of the call, as in `performance.now()`. The reconciler counts from the row, which is written next. */
  until: number;
}

/** Runs the checks that need no row, and uploads the file of a send. */
@Injectable()
export class SendPreparation {
  constructor(
    private readonly numbers: NumberCache,
    private readonly contents: ContentCheck,
    private readonly uploads: UploadService,
    private readonly sender: UpstreamSender,
    private readonly suspendedNumbers: SuspendedNumbers,
  ) {}

  /**
   * @param until deadline of the caller, as in `performance.now()`
   * @throws AppError for the number, the template, the file, a message that is referred to, or the state of the
   * upstream platform; nothing was written or sent
   */
  async prepare(command: SendMessageCommand, until: number): Promise<PreparedSend> {
    const { accountId, message, upload } = command;
    const number = await this.numbers.find(accountId, message.from ?? null);
    if (!number) throw noNumber(message.from);
    const checked = await this.contents.check(command, number);
    const route = { ...number, recipient: message.to };
    const refusal = this.sender.refusalBefore(route, this.sender.callUntil(until));
    if (refusal) throw refusalOfCall(refusal);
    // The insert of the row checks the number, too. This earlier check avoids a useless upload.
    if (upload) await this.suspendedNumbers.rejectIfSuspended(accountId, number);
    const mediaId = upload ? await this.uploadMedia(number, upload, until - this.sender.timeoutMs) : null;
    return { ...checked, number, mediaId, until: this.sender.callUntil(until) };
  }

  private async uploadMedia(number: KnownNumber, upload: UploadedFile, until: number): Promise<string> {
    try {
      return await this.uploads.mediaIdOf(number, upload, until);
    } catch (error) {
      await this.suspendedNumbers.suspendIfRejected(number, error);
      throw error instanceof UpstreamError ? refusalOfUpload(error) : error;
    }
  }
}
