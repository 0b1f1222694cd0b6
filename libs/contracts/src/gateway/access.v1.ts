import { IsOptional, IsString } from 'class-validator';
import { event } from '../message-contract';

/** What was changed; one of the three is there. */
export class AccessChangedV1 {
  /** A key: that there is one, its lists, its expiry, or that it was revoked. */
  @IsOptional() @IsString() keyId?: string;
  /** An account: its plan, what it has besides the plan, or whether it is suspended. */
  @IsOptional() @IsString() accountId?: string;
  /** A plan, by name: every account on it. */
  @IsOptional() @IsString() planName?: string;
}

export const accessChangedV1 = event({
  name: 'gateway.access.changed.v1',
  producer: 'gateway',
  consumers: [],
  broadcastTo: ['gateway'],
  description: 'What a key may do has changed: every gateway reads it again with its next request.',
  body: AccessChangedV1,
  sample: { keyId: 'key_01jd0000000000000000000000' },
});
