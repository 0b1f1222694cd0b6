import { IsInt, IsString } from 'class-validator';
import { BodySchema, Doc, IsTime, OrNull } from '../body-docs';

/** Expected price of messages. */
@BodySchema({ example: () => ({ lowest: '0.0028', highest: '0.0042', unrated: 0 }) })
export class PriceRange {
  @Doc('Lowest expected price in decimal notation; null if no rate is known for any charged message')
  @OrNull()
  @IsString()
  lowest: string | null;
  @Doc('Highest expected price') @OrNull() @IsString() highest: string | null;
  @Doc('Charged messages without a rate, which the prices do not include') @IsInt() unrated: number;
}

export const SAMPLE_STORED_ESTIMATE: StoredEstimate = {
  currency: 'USD',
  lowest: '0.0028',
  highest: '0.0028',
  unrated: 0,
  messages: 2,
  free: 0,
  charged: 2,
  estimatedAt: '2026-03-02T10:15:00.310Z',
};

/** Estimate of a job that is stored with it (spec §8.6.12). */
@BodySchema({ name: 'StoredEstimate', example: () => SAMPLE_STORED_ESTIMATE })
export class StoredEstimate extends PriceRange {
  @Doc('Currency of the rate card at that time') @IsString() currency: string;
  @Doc('Number of recipients that were not expected to fail') @IsInt() messages: number;
  @Doc('Number of messages that were certain to be free') @IsInt() free: number;
  @Doc('Number of messages that were not certain to be free') @IsInt() charged: number;
  @IsTime() estimatedAt: string;
}

export const SAMPLE_CHARGES: JobCharges = {
  currency: 'USD',
  amount: '0.0014',
  messages: 1,
  billable: 1,
  unrated: 0,
  open: 1,
};

/** Charges that the platform has reported for a job (spec §8.6.13). */
@BodySchema({ name: 'JobCharges', example: () => SAMPLE_CHARGES })
export class JobCharges {
  @Doc('Currency of the rate card; null without a rate card') @OrNull() @IsString() currency: string | null;
  @Doc(
    'Price of the billable messages according to the rate card, in decimal notation; null if no rate is known for any of them',
  )
  @OrNull()
  @IsString()
  amount: string | null;
  @Doc('Delivered messages for which the platform has reported the pricing') @IsInt() messages: number;
  @Doc('Number of delivered messages that the platform charges for') @IsInt() billable: number;
  @Doc('Billable messages without a rate, which `amount` does not include') @IsInt() unrated: number;
  @Doc('Number of recipients that may still be charged: pending, or sent without reported pricing')
  @IsInt()
  open: number;
}
