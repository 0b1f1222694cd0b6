import type { Logger } from '@switchboard/platform';

/** Acks, rejects or replies. Errors of a closed channel are ignored, because the broker redelivers the message. */
export function settle(logger: Logger, action: () => void): void {
  try {
    action();
  } catch (error) {
    logger.debug({ err: error }, 'message.redelivered');
  }
}
