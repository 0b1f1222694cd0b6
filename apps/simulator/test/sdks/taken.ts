/** What the simulator says of a type of message, or of an operation, that it does not have. */
const NOT_THERE = /Param type must be one of|Unknown path components|does not support this operation/;

/**
 * What is wrong with the simulator's answer to a call that upstream takes: nothing when it was taken, or when it is of
 * a kind that the simulator does not have at all. Any other refusal is of a body that upstream takes.
 */
export function wrongRefusal(problem: string | undefined): string | undefined {
  return problem === undefined || NOT_THERE.test(problem) ? undefined : problem;
}
