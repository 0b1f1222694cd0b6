import type { Logger } from '@switchboard/platform';

/**
 * Acks, rejects or replies. On a channel that is gone this is impossible and needless: the broker hands the message out
 * again.
 */
export function settle(logger: Logger, action: () => void): void {
  try {
    action();
  } catch (error) {
    logger.debug({ err: error }, 'message.redelivered');
  }
}
