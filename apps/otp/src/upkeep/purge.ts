import { Injectable } from '@nestjs/common';
import { Every, UPKEEP_STATEMENT_MS } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { purgeOld } from './purge.queries';

const PURGE_EVERY_MS = 300_000;

/** Removes expired codes and what else is too old, in bounded batches; any number of replicas may. */
@Injectable()
export class Purge {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns whether there may be more to remove */
  @Every({ name: 'otp-purge', everyMs: PURGE_EVERY_MS, statementMs: UPKEEP_STATEMENT_MS })
  purge(): Promise<boolean> {
    return purgeOld(this.dataSource);
  }
}
