/** As in `AMOUNT_PATTERN`. */
const DECIMALS = 8;
const UNIT = 10n ** BigInt(DECIMALS);

/** Converts an amount in decimal notation to an integer number of its smallest units. */
export function unitsOf(amount: string): bigint {
  const [whole = '0', decimals = ''] = amount.split('.');
  return BigInt(whole) * UNIT + BigInt(decimals.padEnd(DECIMALS, '0'));
}

/** Returns the decimal notation with at least two decimals, such as `12.50` or `0.0068`. */
export function amountOf(units: bigint): string {
  const decimals = (units % UNIT).toString().padStart(DECIMALS, '0').replace(/0+$/, '');
  return `${units / UNIT}.${decimals.padEnd(2, '0')}`;
}

/** Sum of amounts in decimal notation, exact. */
export class Amount {
  private units = 0n;

  /** Adds an amount a number of times. */
  add(amount: string, times = 1): this {
    this.units += unitsOf(amount) * BigInt(times);
    return this;
  }

  toString(): string {
    return amountOf(this.units);
  }
}
