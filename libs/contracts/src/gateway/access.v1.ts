import { IsOptional, IsString } from 'class-validator';
import { event } from '../message-contract';

/** Key, account or plan whose permissions changed; exactly one field is present. */
export class AccessChangedV1 {
  /** ID of a key that was created or revoked, or whose allow lists or expiry changed. */
  @IsOptional() @IsString() keyId?: string;
  /** ID of an account whose plan, overrides or suspension changed. */
  @IsOptional() @IsString() accountId?: string;
  /** Name of a changed plan, which affects all of its accounts. */
  @IsOptional() @IsString() planName?: string;
}

export const accessChangedV1 = event({
  name: 'gateway.access.changed.v1',
  producer: 'gateway',
  consumers: [],
  broadcastTo: ['gateway'],
  description: 'The permissions of a key changed. Every gateway reloads them on its next request.',
  body: AccessChangedV1,
  sample: { keyId: 'key_01jd0000000000000000000000' },
});
