import { helpTexts } from './command';
import type { Operator } from './operator';
import { buildProgram } from './program';

/** Declaring commands needs nothing of what running them does. */
const NOTHING = {} as Operator;

/** The help of each operator command, by its words; made once by `npm run generate`, and printed by `ops.ts`. */
export function describeCommands(): Record<string, string> {
  return helpTexts(
    buildProgram(NOTHING, { out: () => undefined, err: () => undefined, secret: () => Promise.resolve('') }),
  );
}
