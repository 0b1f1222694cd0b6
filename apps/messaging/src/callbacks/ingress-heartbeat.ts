import { Injectable } from '@nestjs/common';
import { type CallbackHeartbeat, FAILURE_DELAYS_SECONDS } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { asRoutine } from '@switchboard/platform';
import { DataSource } from 'typeorm';

/** Three missed heartbeats. During a longer gap, the ingress counts as closed. */
const LONGEST_GAP = '6 seconds';
/** Maximum delay until a failed callback is retried. */
const LONGEST_DELAY_MS = Math.max(...FAILURE_DELAYS_SECONDS) * 1_000;

/**
 * Records a heartbeat. The ingress counts as reopened after a gap between heartbeats and after a gateway start, because
 * upstream then repeats the reports that it could not deliver. It counts as closed while a failed callback waits for
 * its retry. Late or repeated heartbeats have no effect.
 * $1 time of the heartbeat, $2 start time of its gateway, $3 seconds to stay closed
 */
const RECORD_HEARTBEAT = `
  INSERT INTO callback_door AS door (open_since, seen_at) VALUES (GREATEST($1::timestamptz, CASE
    WHEN $3::float8 > 0 THEN now() + make_interval(secs => $3::float8) END), $1)
  ON CONFLICT (only_row) DO UPDATE
  SET open_since = GREATEST(
        door.open_since,
        $2::timestamptz,
        CASE WHEN EXCLUDED.seen_at > door.seen_at + interval '${LONGEST_GAP}' THEN EXCLUDED.seen_at END,
        CASE WHEN $3::float8 > 0 THEN now() + make_interval(secs => $3::float8) END
      ),
      seen_at = GREATEST(door.seen_at, EXCLUDED.seen_at)`;

/**
 * SQL condition on the row of `callback_door`: upstream's callbacks about a send have had the whole grace period to
 * arrive.
 *
 * Each gateway sends heartbeats behind the callbacks that it accepted, on the same path: its outbox, the broker, the
 * service's queue. A heartbeat with time T therefore proves that all callbacks before T have arrived. A blocked
 * gateway, broker or queue delays heartbeats and callbacks alike. A message may be sent again once a heartbeat is later
 * than both the send and the last reopening by the grace period.
 *
 * The condition depends only on the clocks of databases, and on no process state except `recordFailure`. A frozen
 * replica releases its callbacks when the broker misses its AMQP heartbeat. The grace period must be longer than that
 * time, and longer than upstream's slowest callback.
 */
export const callbacksHadTime = (sendingSince: string, graceSeconds: string): string =>
  `EXISTS (SELECT 1 FROM callback_door WHERE GREATEST(${sendingSince}, open_since) < seen_at - make_interval(secs => ${graceSeconds}))`;

/** Tracks since when the gateways have accepted upstream's callbacks without a gap. */
@Injectable()
export class IngressHeartbeat {
  /** Time on the clock of `performance.now()` until which the ingress counts as closed. */
  private shutUntil = 0;

  constructor(private readonly dataSource: DataSource) {}

  async recordHeartbeat({ at, since }: CallbackHeartbeat): Promise<void> {
    const shutMs = Math.max(this.shutUntil - performance.now(), 0);
    await asRoutine(() => query(this.dataSource, RECORD_HEARTBEAT, [at, since, shutMs / 1_000]));
  }

  /**
   * Records that a callback failed and waits for its retry. Heartbeats behind it still arrive, and the next one stores
   * the closed state.
   */
  recordFailure(): void {
    this.shutUntil = performance.now() + LONGEST_DELAY_MS;
  }
}
