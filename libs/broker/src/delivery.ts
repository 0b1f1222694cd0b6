/** Delivery information available to a handler besides the body (`@Ctx() delivery: Delivery`). */
export interface Delivery {
  /** Identical for every delivery of a message. The inbox uses it as its key. */
  messageId: string;
  /** Number of earlier failures of our handlers on this message. */
  failures: number;
  /**
   * Time at which the caller of a command stops waiting, on the clock of `performance.now()`; absent for tasks and
   * events.
   */
  deadline?: number;
  /** True when the broker may have delivered this message before, for example to a process that crashed. */
  redelivered: boolean;
}
