/** The simulator's error for an unsupported type of message or operation. */
const NOT_THERE = /Param type must be one of|Unknown path components|does not support this operation/;

/**
 * Returns the error of a call that upstream accepts. Returns undefined when the call was accepted, or when the
 * simulator does not support its kind. Any other error means that a valid body was rejected.
 */
export function wrongRefusal(problem: string | undefined): string | undefined {
  return problem === undefined || NOT_THERE.test(problem) ? undefined : problem;
}
