import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@switchboard/platform';
import { UpstreamError } from '@switchboard/upstream';
import pLimit from 'p-limit';
import type { MessagingConfig } from '../config';
import type { BegunSend } from '../sends/send.queries';
import { SendMedia } from '../sends/send-media';
import { type OutgoingSend, UpstreamSender } from '../sends/upstream-sender';
import { SuspendedNumbers } from '../numbers/suspended-numbers';
import type { TriedMessage } from './job-message.repository';
import { outcomeOfCall } from './job-outcome';
import { PATIENCE_MS, type ReadyMessage } from './job-preparation';

/** A message whose row was just written. */
export interface BegunMessage {
  ready: ReadyMessage;
  begun: BegunSend;
}

/** Sends the messages of tasks concurrently, with a limit separate from single sends. */
@Injectable()
export class JobSender {
  private readonly inTurn: <Result>(call: () => Promise<Result>) => Promise<Result>;

  constructor(
    private readonly sender: UpstreamSender,
    private readonly media: SendMedia,
    private readonly suspendedNumbers: SuspendedNumbers,
    @Inject(CONFIG) config: Pick<MessagingConfig, 'JOB_SENDS_AT_A_TIME'>,
  ) {
    const turns = pLimit(config.JOB_SENDS_AT_A_TIME);
    this.inTurn = (call) => turns(call);
  }

  /** Returns the deadline of the calls whose rows are written next. */
  deadline(): number {
    return this.sender.callUntil(Number.POSITIVE_INFINITY);
  }

  /** Calls upstream for each message, and suspends the number if an error requires it. */
  async sendAll(messages: readonly BegunMessage[], until: number): Promise<TriedMessage[]> {
    const limits = { until, patientUntil: performance.now() + PATIENCE_MS, inTurn: this.inTurn };
    const called = await Promise.all(
      messages.map(async ({ ready, begun }) => {
        const outgoing = outgoingOf(ready, begun);
        return { outgoing, begun, outcome: await this.media.send(outgoing, ready.files, limits) };
      }),
    );
    const refusal = called.find(({ outcome }) => outcome instanceof UpstreamError && outcome.stopsNumber);
    if (refusal) await this.suspendedNumbers.suspendIfRejected(refusal.begun, refusal.outcome);
    return called.map(({ outgoing, outcome }) => ({
      messageId: outgoing.id,
      outcome: outcomeOfCall(outcome, this.sender.pauseOf(outgoing)),
    }));
  }
}

function outgoingOf(
  { facts: { messageId, message }, send }: ReadyMessage,
  { id: numberId, phoneNumberId, wabaId, sealedAccessToken, isByMarketingEndpoint }: BegunSend,
): OutgoingSend {
  const { content, caption, mediaId, answeredId } = send;
  return {
    id: messageId,
    recipient: message.to,
    type: message.type,
    content,
    caption,
    mediaId,
    answeredId,
    numberId,
    phoneNumberId,
    wabaId,
    sealedAccessToken,
    isByMarketingEndpoint,
  };
}
