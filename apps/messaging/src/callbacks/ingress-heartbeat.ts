import { Injectable } from '@nestjs/common';
import { type CallbackHeartbeat, FAILURE_DELAYS_SECONDS } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { DataSource } from 'typeorm';

/** Three beats missed: the ingress counts as having been shut. */
const LONGEST_GAP = '6 seconds';
/** A callback that failed here is tried again after this time at the latest. */
const LONGEST_DELAY_MS = Math.max(...FAILURE_DELAYS_SECONDS) * 1_000;

/**
 * Takes over a beat. The ingress is open anew after a gap between beats, and since a gateway started: what upstream
 * could not report meanwhile it reports again later. It is shut as long as a callback that failed here waits to be
 * tried again. Beats that come late or twice change nothing. $1 the beat, $2 since when its gateway runs, $3 for how
 * many seconds it stays shut
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
 * SQL: whether upstream's callbacks about a send have had the whole grace to reach us, in the row of `callback_door`.
 * Every gateway puts a beat behind the callbacks that it took, on their own way: its outbox, the broker, our queue. So
 * a beat of the time T that has arrived here says that all callbacks before T have arrived, and a gateway, a broker or
 * a queue of ours that stands still holds back the beats as well as the callbacks. A message may therefore be sent
 * again once a beat was made a grace after the send, and a grace after the ingress was last opened. No memory of a
 * process, and no clock but the databases', takes part. A replica that is frozen with callbacks in its hands gives them
 * back when the broker misses its heartbeat: the grace must be longer than that, as it must be longer than upstream's
 * slowest callback.
 */
export const callbacksHadTime = (sendingSince: string, graceSeconds: string): string =>
  `EXISTS (SELECT 1 FROM callback_door WHERE GREATEST(${sendingSince}, open_since) < seen_at - make_interval(secs => ${graceSeconds}))`;

/** Knows since when the gateways take upstream's callbacks. */
@Injectable()
export class IngressHeartbeat {
  /** Of `performance.now()`. */
  private shutUntil = 0;

  constructor(private readonly dataSource: DataSource) {}

  /** Takes over a gateway's word that it takes callbacks. */
  async recordHeartbeat({ at, since }: CallbackHeartbeat): Promise<void> {
    const shutMs = Math.max(this.shutUntil - performance.now(), 0);
    await query(this.dataSource, RECORD_HEARTBEAT, [at, since, shutMs / 1_000]);
  }

  /**
   * A callback failed here and waits to be tried again, while beats from behind it pass: the next one carries that
   * along.
   */
  recordFailure(): void {
    this.shutUntil = performance.now() + LONGEST_DELAY_MS;
  }
}
