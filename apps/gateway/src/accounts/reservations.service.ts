import { Inject, Injectable } from '@nestjs/common';
import { PermanentError } from '@switchboard/broker';
import { AppError, type CreditCategory, type ReserveCreditCommand } from '@switchboard/contracts';
import { type Transaction, Transactions } from '@switchboard/database';
import { LOGGER, type Logger } from '@switchboard/platform';
import {
  ADD_TO_BALANCE,
  END_RESERVATION,
  INSERT_LEDGER,
  INSERT_RESERVATION,
  LOCK_RESERVATION,
  TAKE_CREDITS,
} from './credits.queries';

interface Reservation {
  category: CreditCategory;
  amount: number;
  state: 'held' | 'settled' | 'refunded' | 'expired' | 'returned';
}

/**
 * Credits that are set aside, then spent or given back. Every step is known by the reservation's id and done once,
 * so each message may come again. Order of locks: the reservation, then the balance.
 */
@Injectable()
export class ReservationsService {
  constructor(
    private readonly transactions: Transactions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Sets credits aside. Asked again with the same id it changes nothing and gives the present balance.
   * @returns the balance without what is set aside
   * @throws AppError INSUFFICIENT_CREDITS, INVALID_VALUE when a reservation of this id was given back or is another one
   */
  reserve(wanted: ReserveCreditCommand): Promise<number> {
    const { accountId, reservationId, category, amount, holdSeconds } = wanted;
    return this.transactions.run(async (tx) => {
      const [inserted] = await tx.queryPrepared(INSERT_RESERVATION, [
        reservationId,
        accountId,
        category,
        amount,
        holdSeconds,
      ]);
      if (!inserted) return this.balanceOfEarlier(tx, wanted);
      const [row] = await tx.queryPrepared<{ balance: string }>(TAKE_CREDITS, [
        accountId,
        category,
        amount,
        reservationId,
        'reserved',
      ]);
      // Thrown inside the transaction: the reservation goes with it.
      if (!row) throw new AppError('INSUFFICIENT_CREDITS');
      return Number(row.balance);
    });
  }

  /**
   * What was reserved is spent; what was returned stays so.
   * @throws PermanentError when there is no such reservation
   */
  settle(accountId: string, reservationId: string): Promise<void> {
    return this.transactions.run(async (tx) => {
      const { state, category, amount } = await lockReservation(tx, accountId, reservationId);
      if (state === 'settled' || state === 'returned') return;
      if (state !== 'held') await this.takeAgain(tx, { accountId, reservationId, category, amount });
      tx.queue(END_RESERVATION, [reservationId, accountId, 'settled']);
      tx.queue(INSERT_LEDGER, { accountId, category, amount: 0, kind: 'settle', reason: 'spent', reservationId });
    });
  }

  /**
   * What was reserved goes back. One that was settled stays so.
   * @throws PermanentError when there is no such reservation
   */
  refund(accountId: string, reservationId: string): Promise<void> {
    return this.transactions.run(async (tx) => {
      const { state, category, amount } = await lockReservation(tx, accountId, reservationId);
      if (state !== 'held') return;
      tx.queue(END_RESERVATION, [reservationId, accountId, 'refunded']);
      tx.queue(INSERT_LEDGER, { accountId, category, amount, kind: 'refund', reason: 'not used', reservationId });
      tx.queue(ADD_TO_BALANCE, [accountId, category, amount]);
    });
  }

  /**
   * What it was spent on did not arrive: it goes back, also before it is settled.
   * @throws PermanentError when there is no such reservation
   */
  returnSpent(accountId: string, reservationId: string): Promise<void> {
    return this.transactions.run(async (tx) => {
      const { state, category, amount } = await lockReservation(tx, accountId, reservationId);
      if (state === 'returned') return;
      tx.queue(END_RESERVATION, [reservationId, accountId, 'returned']);
      if (state !== 'held' && state !== 'settled') return;
      tx.queue(INSERT_LEDGER, { accountId, category, amount, kind: 'refund', reason: 'not delivered', reservationId });
      tx.queue(ADD_TO_BALANCE, [accountId, category, amount]);
    });
  }

  private async balanceOfEarlier(
    tx: Transaction,
    { accountId, reservationId, category, amount }: ReserveCreditCommand,
  ): Promise<number> {
    const [earlier] = await tx.query<Reservation>(LOCK_RESERVATION, [reservationId, accountId]);
    if (earlier?.category !== category || earlier.amount !== amount)
      throw new AppError('INVALID_VALUE', { message: 'the reservation is another one' });
    if (earlier.state === 'refunded' || earlier.state === 'expired')
      throw new AppError('INVALID_VALUE', { message: 'the reservation was given back' });
    const [row] = await tx.query<{ balance: string }>(
      'SELECT balance FROM credit_balances WHERE account_id = $1 AND category = $2',
      [accountId, category],
    );
    return Number(row?.balance ?? 0);
  }

  /**
   * It was spent after we had given it back: it is taken now, unless the balance does not reach, for it never goes
   * below zero.
   */
  private async takeAgain(
    tx: Transaction,
    late: { accountId: string; reservationId: string; category: CreditCategory; amount: number },
  ): Promise<void> {
    const { accountId, reservationId, category, amount } = late;
    const [row] = await tx.query(TAKE_CREDITS, [
      accountId,
      category,
      amount,
      reservationId,
      'settled after it was given back',
    ]);
    this.logger[row ? 'warn' : 'error'](
      { accountId, reservationId, amount, taken: Boolean(row) },
      'credits.settled-late',
    );
  }
}

async function lockReservation(tx: Transaction, accountId: string, reservationId: string): Promise<Reservation> {
  const [reservation] = await tx.queryPrepared<Reservation>(LOCK_RESERVATION, [reservationId, accountId]);
  if (!reservation) throw new PermanentError(`there is no reservation ${reservationId}`);
  return reservation;
}
