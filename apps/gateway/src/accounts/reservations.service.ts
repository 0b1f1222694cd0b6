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
 * Reserves credits, then settles or refunds them. Each step is idempotent by reservation id, so commands may be
 * redelivered. Lock order: reservation, then balance.
 */
@Injectable()
export class ReservationsService {
  constructor(
    private readonly transactions: Transactions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Reserves credits. A repeated call with the same id changes nothing and returns the current balance.
   * @returns the balance, excluding reserved credits
   * @throws AppError INSUFFICIENT_CREDITS, INVALID_VALUE when the reservation was refunded or has other values
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
      // The error rolls back the transaction and thus the reservation.
      if (!row) throw new AppError('INSUFFICIENT_CREDITS');
      return Number(row.balance);
    });
  }

  /**
   * Marks reserved credits as spent. Has no effect on a refunded reservation.
   * @throws PermanentError for an unknown reservation
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
   * Refunds reserved credits. Has no effect on a settled reservation.
   * @throws PermanentError for an unknown reservation
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
   * Returns the credits of a message that was not delivered, whether settled or not.
   * @throws PermanentError for an unknown reservation
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
   * Deducts credits again for a reservation that was released before it was settled. Skipped if the balance is too low,
   * since a balance is never negative.
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
