/** As in `AMOUNT_PATTERN`. */
const DECIMALS = 8;
const UNIT = 10n ** BigInt(DECIMALS);

/** Sum of amounts in decimal notation, exact. */
export class Amount {
  private units = 0n;

  /** Adds an amount a number of times. */
  add(amount: string, times = 1): this {
    const [whole = '0', decimals = ''] = amount.split('.');
    this.units += (BigInt(whole) * UNIT + BigInt(decimals.padEnd(DECIMALS, '0'))) * BigInt(times);
    return this;
  }

  /** Returns the sum with at least two decimals, such as `12.50` or `0.0068`. */
  toString(): string {
    const decimals = (this.units % UNIT).toString().padStart(DECIMALS, '0').replace(/0+$/, '');
    return `${this.units / UNIT}.${decimals.padEnd(2, '0')}`;
  }
}
