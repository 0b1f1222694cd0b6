/** What a handler may know about the message it was given, besides its body (`@Ctx() delivery: Delivery`). */
export interface Delivery {
  /** The same for every delivery of a message; the key of the inbox. */
  messageId: string;
  /** How often handlers of ours have failed on this message before. */
  failures: number;
  /** When the caller of a command stops waiting, on the clock of `performance.now()`; absent for tasks and events. */
  deadline?: number;
  /** Whether the broker may have handed this message out before, for example to a process that crashed. */
  redelivered: boolean;
}
