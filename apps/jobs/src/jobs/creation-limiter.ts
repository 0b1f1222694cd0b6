import { Injectable } from '@nestjs/common';
import { FairLimiter } from './fair-limiter';

/**
 * Concurrent creations and estimates of jobs. Each creation holds a database connection while its rows are stored, and
 * the release and outcomes also need connections.
 */
const JOBS_AT_A_TIME = 3;
/** Leaves one slot to other accounts. */
const JOBS_PER_ACCOUNT = 2;

/** Limits creations and estimates of jobs. */
@Injectable()
export class CreationLimiter extends FairLimiter {
  constructor() {
    super({ total: JOBS_AT_A_TIME, perAccount: JOBS_PER_ACCOUNT });
  }
}
