import { helpTexts } from '../commands/command';
import type { Operator } from '../commands/operator';
import { buildProgram } from './program';

/** Placeholder, since declaring commands does not use the operator. */
const NOTHING = {} as Operator;

/** Returns the help text of each operator command. The build stores the texts in `help.json` for `ops.ts`. */
export function describeCommands(): Record<string, string> {
  const print = (): void => undefined;
  const untilEnded = (): AbortSignal => AbortSignal.abort();
  const ask = (): Promise<never> => Promise.reject(new Error('nobody is asked'));
  return helpTexts(
    buildProgram(NOTHING, {
      out: print,
      err: print,
      line: print,
      secret: ask,
      confirm: ask,
      canAsk: false,
      ask,
      startedAt: 0,
      untilEnded,
      apiRoutes: () => [],
    }),
  );
}
