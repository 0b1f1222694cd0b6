import { Type } from 'class-transformer';
import { IsInt, IsString, ValidateNested } from 'class-validator';
import { command } from '../message-contract';
import type { ServiceName } from '../services';

export class CountSecretsCommand {}

/** The sealed values of one column, by the key that each needs. */
export class SecretCount {
  /** Table and column. */
  @IsString() column: string;
  @IsInt() current: number;
  @IsInt() previous: number;
  /** Sealed before keys had ids: with either key. */
  @IsInt() withoutKeyId: number;
  /** Sealed with a key that the service does not have. */
  @IsInt() unknown: number;
}

export class CountSecretsReply {
  /** Names the key that the service seals with. */
  @IsString() keyId: string;
  @ValidateNested({ each: true }) @Type(() => SecretCount) columns: SecretCount[];
}

const countSecrets = (owner: ServiceName, column: string) =>
  command({
    name: `${owner}.count-secrets.v1`,
    owner,
    changes: false,
    description: 'Counts the sealed values that the service stores, by the key that each needs.',
    request: CountSecretsCommand,
    response: CountSecretsReply,
    timeoutMs: 30_000,
    sample: { request: {}, response: { keyId: '5f0c2a91', columns: [{ column, current: 12, previous: 3, withoutKeyId: 0, unknown: 0 }] } },
  });

export const messagingCountSecretsV1 = countSecrets('messaging', 'numbers.sealed_access_token');
export const templatesCountSecretsV1 = countSecrets('templates', 'upstream_accounts.sealed_access_token');
export const webhooksCountSecretsV1 = countSecrets('webhooks', 'endpoints.sealed_secret');
