import { Injectable } from '@nestjs/common';
import { FairLimiter } from './fair-limiter';

/**
 * Maximum number of concurrent creations and estimates. Each creation holds a database connection while it stores rows,
 * and the release and the outcomes need connections as well.
 */
const JOBS_AT_A_TIME = 3;
/** Leaves one slot for other accounts. */
const JOBS_PER_ACCOUNT = 2;

/** Limits how many jobs are created or estimated at the same time. */
@Injectable()
export class CreationLimiter extends FairLimiter {
  constructor() {
    super({ total: JOBS_AT_A_TIME, perAccount: JOBS_PER_ACCOUNT });
  }
}
