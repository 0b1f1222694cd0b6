import { helpTexts } from '../commands/command';
import type { Operator } from '../commands/operator';
import { buildProgram } from './program';

/** Placeholder: declaring commands uses no operator. */
const NOTHING = {} as Operator;

/** Returns the help of each operator command. The build stores it in `help.json`, which `ops.ts` prints. */
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
