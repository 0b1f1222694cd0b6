import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { Broker, EventHandler } from '@switchboard/broker';
import { AccessChangedV1, accessChangedV1 } from '@switchboard/contracts';
import { KeyCache } from './key-cache';

/** Evicts cached keys. Every gateway receives every access change. */
@Controller()
export class AccessChangesController {
  constructor(
    private readonly keys: KeyCache,
    broker: Broker,
  ) {
    broker.onBroadcastsMissed(() => keys.clear());
  }

  @EventHandler(accessChangedV1)
  forgetChanged(@Payload() { keyId, accountId, planName }: AccessChangedV1): void {
    this.keys.evict(
      (client) => client.keyId === keyId || client.account.id === accountId || client.plan.name === planName,
    );
  }
}
