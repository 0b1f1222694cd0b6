import { IsIn, IsInt, IsString, Max, Min } from 'class-validator';

export const MAX_FIGURE_DAYS = 90;
export const MAX_FIGURE_HOURS = 48;

export const FIGURE_UNITS = ['hour', 'day'] as const;
export type StatisticsUnit = (typeof FIGURE_UNITS)[number];

/** Time span of statistics: a number of hours or UTC days up to now. */
export class StatisticsSpanCommand {
  @IsString() accountId: string;
  @IsIn(FIGURE_UNITS) unit: StatisticsUnit;
  @IsInt() @Min(1) @Max(MAX_FIGURE_DAYS) count: number;
}

export const statisticsSpanSample: StatisticsSpanCommand = {
  accountId: 'acc_01jd0000000000000000000000',
  unit: 'day',
  count: 14,
};
