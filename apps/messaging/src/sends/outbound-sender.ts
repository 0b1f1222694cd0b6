import { Injectable } from '@nestjs/common';
import type { SendMessageCommand } from '@switchboard/contracts';
import { type SentMessage, UpstreamError } from '@switchboard/upstream';
import type { PreparedSend } from './send-preparation';
import { SendRepository } from './send.repository';
import { type OutgoingSend, UpstreamSender } from './upstream-sender';
import { SuspendedNumbers } from '../numbers/suspended-numbers';
import { isMediaGone, UploadService } from './upload.service';

/** Sends messages, and uploads a file again when the upstream platform no longer knows its media id. */
@Injectable()
export class OutboundSender {
  constructor(
    private readonly sender: UpstreamSender,
    private readonly uploads: UploadService,
    private readonly repository: SendRepository,
    private readonly suspendedNumbers: SuspendedNumbers,
  ) {}

  /**
   * Calls upstream. Suspends the number if the error requires it.
   * @returns the upstream response, or an error with what is known about the message
   */
  async send(
    command: SendMessageCommand,
    outgoing: OutgoingSend,
    prepared: PreparedSend,
  ): Promise<SentMessage | UpstreamError> {
    const outcome = await this.sendFile(command, outgoing, prepared);
    await this.suspendedNumbers.suspendIfRejected(
      { id: prepared.number.id, sealedAccessToken: outgoing.sealedAccessToken },
      outcome,
    );
    return outcome;
  }

  private async sendFile(
    command: SendMessageCommand,
    outgoing: OutgoingSend,
    { number, until }: PreparedSend,
  ): Promise<SentMessage | UpstreamError> {
    const outcome = await this.sender.send(outgoing, { until });
    if (!command.upload || !outgoing.mediaId || !isMediaGone(outcome)) return outcome;
    try {
      const mediaId = await this.uploads.renew(number, command.upload, { goneId: outgoing.mediaId, until });
      await this.repository.renewMedia(command, mediaId);
      return await this.sender.send({ ...outgoing, mediaId }, { until });
    } catch (error) {
      // Report the first error.
      if (error instanceof UpstreamError) return outcome;
      throw error;
    }
  }
}
