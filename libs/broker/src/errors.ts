/** Thrown by the handler of a task or event when a retry cannot help. The message is dead-lettered with this reason. */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
}

/**
 * Thrown by the handler of a task or event that completed part of its work. Only the remaining work is retried or
 * dead-lettered, depending on the cause.
 */
export class PartlyHandledError extends Error {
  override readonly name = 'PartlyHandledError';

  /** @param rest a body of the same contract with the remaining work */
  constructor(
    readonly rest: object,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** No queue receives the message, so publishing it again does not help. */
export class UnroutableError extends Error {
  override readonly name = 'UnroutableError';
}

/** A queue or exchange exists with different settings, or is missing. The service must not start. */
export class TopologyMismatchError extends Error {
  override readonly name = 'TopologyMismatchError';
}

/** The broker is unreachable or blocks publishers. */
export class BrokerAwayError extends Error {
  override readonly name = 'BrokerAwayError';
}

/** The broker is reachable but did not store the message: it nacked it, or did not confirm it within ten seconds. */
export class NotConfirmedError extends Error {
  override readonly name = 'NotConfirmedError';
}
