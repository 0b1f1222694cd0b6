import { AppError, type CommandContract, parseBody } from '@switchboard/contracts';
import { isDatabaseUnavailable, isOutcomeUnknown, trackChanges } from '@switchboard/database';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { Delivery } from './delivery';
import { callHandler } from './handler-call';
import { countDelivery } from './metrics';
import type { ConsumerOptions } from './queue-consumer';
import { settle } from './settle';
import type { TakeNotes } from './take-notes';
import { ERROR_REPLY, JSON_CONTENT } from './wire';

export type CommandWork = ConsumerOptions & { contract: CommandContract; channel: Channel; notes: TakeNotes };

interface Reply {
  outcome: 'handled' | 'refused' | 'failed';
  content: string;
  type?: typeof ERROR_REPLY;
}

/** From this status on a refusal is our failure, not the caller's. */
const FIRST_FAILURE_STATUS = 500;

/** Carries out one command and answers it; never rejects. */
export async function answerCommand(work: CommandWork, message: ConsumeMessage, delivery: Delivery): Promise<void> {
  const { contract, logger, notes } = work;
  // The caller is about to give up, or has.
  if (delivery.deadline !== undefined && delivery.deadline <= performance.now()) {
    countDelivery(contract.name, 'expired');
    // UNAVAILABLE promises that nothing was done, also not by a process that had the command first.
    reply(
      work,
      message,
      refused(new AppError(contract.changes && delivery.redelivered ? 'OUTCOME_UNKNOWN' : 'UNAVAILABLE')),
    );
    return;
  }
  if (contract.changes) {
    try {
      await notes.announce(message);
    } catch (error) {
      logger.warn({ contract: contract.name, messageId: delivery.messageId, err: error }, 'command.take-failed');
      return;
    }
  }
  const answer = await answerOf(work, message, delivery);
  countDelivery(contract.name, answer.outcome);
  reply(work, message, answer);
}

function reply({ channel, logger, names }: CommandWork, message: ConsumeMessage, { content, type }: Reply): void {
  const { replyTo: address, correlationId } = message.properties;
  settle(logger, () => {
    // In one tick, so that reply and ack leave in one packet.
    if (typeof address === 'string')
      channel.publish(names.repliesExchange, address, Buffer.from(content), {
        correlationId,
        type,
        contentType: JSON_CONTENT,
      });
    channel.ack(message);
  });
}

async function answerOf(
  { contract, handler, logger }: CommandWork,
  message: ConsumeMessage,
  delivery: Delivery,
): Promise<Reply> {
  const changes = trackChanges();
  try {
    const body = parseBody(contract.request, JSON.parse(message.content.toString()));
    const result = await changes.during(() => callHandler(contract, handler, message, body, delivery));
    return { outcome: 'handled', content: JSON.stringify(result ?? null) };
  } catch (error) {
    if (!(error instanceof AppError))
      logger.error({ contract: contract.name, messageId: delivery.messageId, err: error }, 'command.failed');
    const refusal = refusalOf(error);
    // UNAVAILABLE promises that nothing was done: not by what failed, not before it, and not by a process that had the
    // command first.
    const mayBeDone = contract.changes && (isOutcomeUnknown(error) || changes.any() || delivery.redelivered);
    return refused(refusal.code === 'UNAVAILABLE' && mayBeDone ? new AppError('OUTCOME_UNKNOWN') : refusal);
  }
}

function refused(refusal: AppError): Reply {
  const outcome = refusal.status < FIRST_FAILURE_STATUS ? 'refused' : 'failed';
  return { outcome, content: JSON.stringify(refusal.toBody()), type: ERROR_REPLY };
}

function refusalOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError(isDatabaseUnavailable(error) ? 'UNAVAILABLE' : 'INTERNAL');
}
