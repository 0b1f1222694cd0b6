import { Inject, Injectable } from '@nestjs/common';
import {
  type EstimateSendsCommand,
  type EstimateSendsReply,
  firstIdAt,
  type GetSendingCapacityCommand,
  type GetSendingCapacityReply,
  type SendingCapacity,
} from '@switchboard/contracts';
import { genericPlanQuery, query } from '@switchboard/database';
import { CONFIG } from '@switchboard/platform';
import { chargesWindow, rateCardOf } from '@switchboard/pricing';
import { DataSource } from 'typeorm';
import type { MessagingConfig } from '../config';
import { messagingLimitOf, throughputOf } from '../numbers/sending-limits';
import { keysOf } from '../people/person-keys';
import { RatesService } from '../rates/rates.service';
import { noNumber } from '../sends/send-refusals';
import { findSpendCap } from '../usage/find-spend-cap';
import {
  type CapacityRow,
  COUNT_CONTACTED,
  COUNT_NUMBERS,
  COUNT_SERVICE_MESSAGES,
  ENTRY_SPAN_HOURS,
  ESTIMATED,
  type EstimatedNumber,
  FIND_CAPACITIES,
  FIND_ESTIMATED_NUMBERS,
  FIND_RECIPIENT_STATES,
  type RecipientState,
} from './estimates.queries';
import { priceSends, type Sender } from './price-sends';

const HOUR_MS = 3_600_000;
const LIMIT_SPAN_HOURS = 24;
/** Maximum number of messages read to count contacts. With more, the remaining limit is reported as unknown. */
const COUNTED_MESSAGES_MAX = 200_000;

/** Estimates the prices and rejections of sends without sending anything. Read-only. */
@Injectable()
export class EstimatesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rates: RatesService,
    @Inject(CONFIG) private readonly config: Pick<MessagingConfig, 'FREE_SERVICE_MESSAGES'>,
  ) {}

  /** @throws AppError INVALID_PARAMETER if the account lacks a number */
  async estimateSends(command: EstimateSendsCommand): Promise<EstimateSendsReply> {
    const { accountId, from, category, recipients, numbers = [from], isCapped = false } = command;
    const at = new Date(command.at);
    const [found, { rates }] = await Promise.all([
      query<EstimatedNumber>(this.dataSource, FIND_ESTIMATED_NUMBERS, [accountId, numbers]),
      this.rates.list(at.toISOString().slice(0, 10)),
    ]);
    const senders: Sender[] = [];
    for (const phoneNumber of numbers) {
      const number = found.find((each) => each.phoneNumber === phoneNumber);
      if (!number) throw noNumber(phoneNumber);
      senders.push({ number, states: await this.statesOf(command, number, at) });
    }
    return priceSends({
      card: rateCardOf(rates),
      category,
      senders,
      at,
      recipients,
      isCapped,
    });
  }

  /** Returns the states of the known recipients towards a number, by index. */
  private async statesOf(
    { accountId, recipients }: EstimateSendsCommand,
    { id }: EstimatedNumber,
    at: Date,
  ): Promise<Map<number, RecipientState>> {
    const states = await genericPlanQuery<RecipientState>(this.dataSource, FIND_RECIPIENT_STATES, [
      accountId,
      id,
      at,
      firstIdAt('msg', at.getTime() - ENTRY_SPAN_HOURS * HOUR_MS),
      ...ESTIMATED.parameters(recipients.map(keysOf)),
    ]);
    return new Map(states.map((state) => [Number(state.position) - 1, state]));
  }

  async capacityOf(command: GetSendingCapacityCommand): Promise<GetSendingCapacityReply> {
    const { accountId, numbers, skipsRemaining = false } = command;
    const at = new Date(command.at);
    const rows = await query<CapacityRow>(this.dataSource, FIND_CAPACITIES, [accountId, numbers]);
    const contacted = new Map<string, Promise<number | null>>();
    const capacities = await Promise.all(rows.map((row) => this.capacity(command, row, contacted)));
    const order = new Map(numbers.map((number, index) => [number, index]));
    return {
      numbers: capacities.toSorted(
        (one, other) => (order.get(one.phoneNumber) ?? 0) - (order.get(other.phoneNumber) ?? 0),
      ),
      ...(await this.freeServiceOf(accountId, rows.length, at)),
      chargesService: chargesWindow(at),
      ...(!skipsRemaining && {
        spendCap: await findSpendCap(this.dataSource, accountId, at.toISOString().slice(0, 'YYYY-MM'.length)),
      }),
    };
  }

  /** @param contacted counts by portfolio, shared so that each portfolio is counted once */
  private async capacity(
    { accountId, skipsRemaining }: GetSendingCapacityCommand,
    { phoneNumber, throughputLevel, portfolio, ...row }: CapacityRow,
    contacted: Map<string, Promise<number | null>>,
  ): Promise<SendingCapacity> {
    const messagingLimit = messagingLimitOf(row.messagingLimit);
    const facts = { phoneNumber, throughput: throughputOf(throughputLevel), messagingLimit, portfolio };
    if (messagingLimit === null || skipsRemaining) return { ...facts, remaining: null };
    const counting = contacted.get(portfolio) ?? this.contactedBy(accountId, portfolio);
    contacted.set(portfolio, counting);
    const people = await counting;
    return { ...facts, remaining: people === null ? null : Math.max(0, messagingLimit - people) };
  }

  /** Returns how many contacts a portfolio has messaged in the last 24 hours; null if there are too many to count. */
  private async contactedBy(accountId: string, portfolio: string): Promise<number | null> {
    const [{ people, isCut } = { people: 0, isCut: false }] = await query<{ people: number; isCut: boolean }>(
      this.dataSource,
      COUNT_CONTACTED,
      [accountId, portfolio, firstIdAt('msg', Date.now() - LIMIT_SPAN_HOURS * HOUR_MS), COUNTED_MESSAGES_MAX],
    );
    return isCut ? null : people;
  }

  /** Returns the lower and upper bound of the free service messages that the given numbers have left this month. */
  private async freeServiceOf(
    accountId: string,
    given: number,
    at: Date,
  ): Promise<{ freeServiceLeast: number; freeServiceMost: number }> {
    const allowance = this.config.FREE_SERVICE_MESSAGES * given;
    const [first, next] = monthOf(at);
    const [[{ messages } = { messages: 0 }], [{ numbers } = { numbers: 0 }]] = await Promise.all([
      query<{ messages: number }>(this.dataSource, COUNT_SERVICE_MESSAGES, [accountId, first, next]),
      query<{ numbers: number }>(this.dataSource, COUNT_NUMBERS, [accountId]),
    ]);
    const freeServiceLeast = Math.max(0, allowance - messages);
    // Usage is counted per account, so another of its numbers may have used the allowance.
    return { freeServiceLeast, freeServiceMost: numbers > given ? allowance : freeServiceLeast };
  }
}

/** Returns the first days of the month and of the next one, in UTC. */
function monthOf(at: Date): [string, string] {
  const dayOf = (month: number): string => new Date(Date.UTC(at.getUTCFullYear(), month, 1)).toISOString().slice(0, 10);
  return [dayOf(at.getUTCMonth()), dayOf(at.getUTCMonth() + 1)];
}
