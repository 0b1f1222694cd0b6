import { Injectable } from '@nestjs/common';
import { upstreamMessagesReceivedV1 } from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { Every, untraced } from '@switchboard/platform';

const EVERY_MS = 2_000;

/**
 * Says every two seconds that this process takes the upstream platform's callbacks, on the way that they take: the
 * outbox, the broker, the consumer's queue. Whoever has seen a beat knows that all callbacks from before it have
 * arrived as well.
 */
@Injectable()
export class CallbackHeartbeat {
  private since?: string;

  constructor(private readonly transactions: Transactions) {}

  /** On the database's clock: replicas on different machines agree. */
  @Every({ name: 'heartbeat', everyMs: EVERY_MS })
  beat(): Promise<void> {
    return untraced(() =>
      this.transactions.run(async (tx) => {
        const [clock] = await tx.query<{ now: Date }>('SELECT now()');
        const at = (clock?.now ?? new Date(0)).toISOString();
        this.since ??= at;
        tx.publish(upstreamMessagesReceivedV1, {
          callbackId: 'door',
          wabaId: '',
          value: {},
          door: { at, since: this.since },
        });
      }),
    );
  }
}
