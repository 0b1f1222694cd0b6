/** `--short`: fewer rounds and units, for a look at all benchmarks in some minutes. Its ratios vary more. */
const isShort = process.argv.includes('--short');

/** @returns the value for the form that runs */
export function inForm<Value>(long: Value, short: Value): Value {
  return isShort ? short : long;
}
