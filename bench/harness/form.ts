/**
 * `--short` uses fewer rounds and units, so that all benchmarks together run in a few minutes. Its ratios vary more.
 */
const isShort = process.argv.includes('--short');

export function inForm<Value>(long: Value, short: Value): Value {
  return isShort ? short : long;
}
