import { Injectable } from '@nestjs/common';
import { upstreamMessagesReceivedV1 } from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { asRoutine, Every, untraced } from '@switchboard/platform';

const EVERY_MS = 2_000;

/**
 * Publishes a heartbeat every two seconds along the path of callbacks: outbox, broker, consumer queue. A consumer that
 * has received a heartbeat has received all earlier callbacks.
 */
@Injectable()
export class CallbackHeartbeat {
  private since?: string;

  constructor(private readonly transactions: Transactions) {}

  /** Uses the database's clock, since the clocks of gateway replicas differ. */
  @Every({ name: 'heartbeat', everyMs: EVERY_MS })
  beat(): Promise<void> {
    return untraced(() => asRoutine(() => this.publish()));
  }

  private publish(): Promise<void> {
    return this.transactions.run(async (tx) => {
      const [clock] = await tx.query<{ now: Date }>('SELECT now()');
      const at = (clock?.now ?? new Date(0)).toISOString();
      this.since ??= at;
      tx.publish(upstreamMessagesReceivedV1, {
        callbackId: 'door',
        wabaId: '',
        value: {},
        door: { at, since: this.since },
      });
    });
  }
}
