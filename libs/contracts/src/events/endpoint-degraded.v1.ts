import { IsIn, IsString } from 'class-validator';
import { event } from '../message-contract';

export class EndpointDegradedV1 {
  @IsString() accountId: string;
  @IsString() endpointId: string;
  /** `failing`: nothing has succeeded for long. Earlier versions paused an endpoint that answered 410, and said `gone`. */
  @IsIn(['failing', 'gone']) reason: 'failing' | 'gone';
  /** Since when nothing has succeeded. */
  @IsString() since: string;
}

export const endpointDegradedV1 = event({
  name: 'webhooks.endpoint.degraded.v1',
  producer: 'webhooks',
  consumers: ['gateway'],
  description: "An account's webhook endpoint is failing for long: its owner should know.",
  body: EndpointDegradedV1,
  sample: { accountId: 'acc_01jd0000000000000000000000', endpointId: 'ep_01jd0000000000000000000000', reason: 'failing' as 'failing' | 'gone', since: '2026-03-02T09:00:00.000Z' },
});
