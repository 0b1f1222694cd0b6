/** `--short` uses fewer rounds and units, to run all benchmarks in a few minutes. Its ratios vary more. */
const isShort = process.argv.includes('--short');

/** Returns the value for the selected form of the benchmark. */
export function inForm<Value>(long: Value, short: Value): Value {
  return isShort ? short : long;
}
