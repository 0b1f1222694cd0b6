/**
 * Thrown by a task's or event's handler: trying again cannot help, so the message goes to the dead letters with this
 * reason.
 */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
}

/**
 * Thrown by a task's or event's handler that did a part of its work: only the rest comes again, or becomes a dead
 * letter. What the cause is decides which.
 */
export class PartlyHandledError extends Error {
  override readonly name = 'PartlyHandledError';

  /** @param rest a body of the same contract that holds what is left */
  constructor(
    readonly rest: object,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** No queue takes the message: publishing it again now cannot help. */
export class UnroutableError extends Error {
  override readonly name = 'UnroutableError';
}

/** A queue or exchange exists with settings other than ours; the service must not start. */
export class TopologyMismatchError extends Error {
  override readonly name = 'TopologyMismatchError';
}

/** The broker cannot be reached, or does not take messages for now. */
export class BrokerAwayError extends Error {
  override readonly name = 'BrokerAwayError';
}

/** The broker is there but did not store the message: it refused it, or did not say so in ten seconds. */
export class NotConfirmedError extends Error {
  override readonly name = 'NotConfirmedError';
}
