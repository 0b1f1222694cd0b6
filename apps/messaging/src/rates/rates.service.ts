import { Injectable } from '@nestjs/common';
import { AppError, type ImportRatesReply, isDay, type ListRatesReply, type RateRecord } from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import { isMarket, unknownMarket } from '@switchboard/pricing';
import { DataSource } from 'typeorm';
import {
  COUNT_RATES,
  DELETE_OTHER_RATES,
  FIND_CURRENCY,
  IMPORTED,
  LIST_RATES,
  LIST_RATES_ON,
  LOCK_RATES,
  UPSERT_RATES,
} from './rates.queries';

/** The rate card of the installation. */
@Injectable()
export class RatesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /** Returns all rates, or those in force on a day. */
  async list(on?: string): Promise<ListRatesReply> {
    const [sql, values] = on === undefined ? [LIST_RATES, []] : [LIST_RATES_ON, [on]];
    const rates = await query<RateRecord>(this.dataSource, sql, values);
    const [{ total } = { total: 0 }] = await query<{ total: number }>(this.dataSource, COUNT_RATES);
    return { rates, total };
  }

  /**
   * Adds and changes rates in one transaction.
   * @param replace deletes all other rates
   * @throws AppError INVALID_VALUE; nothing is changed then
   */
  async import(rates: readonly RateRecord[], replace: boolean): Promise<ImportRatesReply> {
    requireValid(rates);
    const [{ currency } = { currency: '' }] = rates;
    return this.transactions.run(async (tx) => {
      await tx.query(LOCK_RATES);
      const parameters = IMPORTED.parameters(rates);
      const removed = replace ? (await tx.query(DELETE_OTHER_RATES, parameters)).length : 0;
      const [known] = replace ? [] : await tx.query<{ currency: string }>(FIND_CURRENCY);
      if (known && known.currency !== currency)
        throw new AppError('INVALID_VALUE', {
          message: `the rate card is in ${known.currency}, these rates in ${currency}: replace the whole card instead`,
        });
      const written = await tx.query<{ isNew: boolean }>(UPSERT_RATES, parameters);
      const added = written.filter(({ isNew }) => isNew).length;
      const [{ total } = { total: 0 }] = await tx.query<{ total: number }>(COUNT_RATES);
      return { added, changed: written.length - added, removed, total };
    });
  }
}

function requireValid(rates: readonly RateRecord[]): void {
  const unknown = rates.find(({ market }) => !isMarket(market));
  if (unknown) throw new AppError('INVALID_VALUE', { message: unknownMarket(unknown.market) });
  if (!rates.every(({ validFrom }) => isDay(validFrom)))
    throw new AppError('INVALID_VALUE', { message: 'validFrom must be a day of the calendar' });
  if (new Set(rates.map(({ currency }) => currency)).size > 1)
    throw new AppError('INVALID_VALUE', { message: 'all rates must have the same currency' });
  const keys = rates.map(({ market, category, validFrom }) => [market, category, validFrom].join('\n'));
  if (new Set(keys).size < keys.length)
    throw new AppError('INVALID_VALUE', { message: 'each market, category and day can have one rate only' });
}
