import { AppError, type CommandContract, parseBody } from '@switchboard/contracts';
import { isDatabaseUnavailable, isOutcomeUnknown, trackSideEffects } from '@switchboard/database';
import type { ConsumeMessage } from 'amqplib';
import { requestIn } from './command-group';
import type { Delivery } from './delivery';
import { callHandler } from './handler-call';
import { countDelivery } from './metrics';
import type { ConsumerOptions } from './queue-consumer';
import type { Replies, Reply } from './replies';
import { isSealed } from './sealed-request';
import { ERROR_REPLY, GROUP_RETURNED, OPENED } from './wire';

export type CommandWork = ConsumerOptions & { contract: CommandContract; replies: Replies };

interface Outcome extends Reply {
  outcome: 'handled' | 'refused' | 'failed';
}

/** Lowest HTTP status that means a failure of the service rather than of the caller. */
const FIRST_FAILURE_STATUS = 500;

/** Carries out one command and replies to it; never rejects. */
export async function answerCommand(work: CommandWork, message: ConsumeMessage, delivery: Delivery): Promise<void> {
  const { contract, logger, replies } = work;
  if (isLate(delivery)) return replyLate(work, message, delivery);
  if (contract.changes) {
    try {
      await replies.announce(message);
    } catch (error) {
      logger.warn({ contract: contract.name, messageId: delivery.messageId, err: error }, 'command.take-failed');
      return;
    }
    // During a resource alarm the broker confirms the note only after the alarm clears, so check again.
    if (isLate(delivery)) return replyLate(work, message, delivery);
  }
  const answer = await answerOf(work, message, delivery);
  countDelivery(contract.name, answer.outcome);
  await reply(work, message, answer);
}

function isLate({ deadline }: Delivery): boolean {
  return deadline !== undefined && deadline <= performance.now();
}

function replyLate(work: CommandWork, message: ConsumeMessage, { redelivered }: Delivery): Promise<void> {
  countDelivery(work.contract.name, 'expired');
  // UNAVAILABLE guarantees that nothing was done, including by a process that had the command earlier.
  const refusal = new AppError(work.contract.changes && redelivered ? 'OUTCOME_UNKNOWN' : 'UNAVAILABLE');
  return reply(work, message, refused(refusal));
}

/** Returns a group to its caller unprocessed. The caller then resends each command without a reply separately. */
export function requeueGroup(
  work: CommandWork,
  message: ConsumeMessage,
  { reason, commands }: { reason: string; commands: number },
): Promise<void> {
  work.logger.info({ contract: work.contract.name, reason, commands }, 'commands.given-back');
  countDelivery(work.contract.name, 'given_back');
  return reply(work, message, { content: '', type: GROUP_RETURNED });
}

async function reply(
  { logger, replies }: CommandWork,
  message: ConsumeMessage,
  { content, type }: Reply,
): Promise<void> {
  try {
    await replies.answer(message, { content, type });
  } catch (error) {
    logger.debug({ err: error }, 'message.redelivered');
  }
}

async function answerOf(
  { contract, handler, logger, box }: CommandWork,
  message: ConsumeMessage,
  delivery: Delivery,
): Promise<Outcome> {
  const isOpened = isSealed(message.properties.headers) && box.hasKeys();
  const changes = trackSideEffects();
  try {
    const body = parseBody(contract.request, requestIn(message, contract, box));
    const result = await changes.during(() => callHandler(contract, handler, message, body, delivery));
    return { outcome: 'handled', content: JSON.stringify(result ?? null) };
  } catch (error) {
    if (!(error instanceof AppError))
      logger.error({ contract: contract.name, messageId: delivery.messageId, err: error }, 'command.failed');
    const refusal = refusalOf(error);
    // UNAVAILABLE guarantees that nothing was done: neither by the failing call, nor before it, nor by a process that
    // had the command earlier.
    const mayBeDone = contract.changes && (isOutcomeUnknown(error) || changes.any() || delivery.redelivered);
    return refused(refusal.code === 'UNAVAILABLE' && mayBeDone ? new AppError('OUTCOME_UNKNOWN') : refusal, isOpened);
  }
}

function refused(refusal: AppError, isOpened = false): Outcome {
  const outcome = refusal.status < FIRST_FAILURE_STATUS ? 'refused' : 'failed';
  const body = { ...refusal.toBody(), ...(isOpened && { [OPENED]: true }) };
  return { outcome, content: JSON.stringify(body), type: ERROR_REPLY };
}

function refusalOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError(isDatabaseUnavailable(error) ? 'UNAVAILABLE' : 'INTERNAL');
}
