import { IsInt, IsOptional, IsString, Max, Min, ValidateNested } from 'class-validator';
import { Type } from './body-values';
import { command } from './message-contract';
import type { ServiceName } from './services';

export class CountSecretsCommand {}

/** Number of encrypted values in one column, by encryption key. */
export class SecretCount {
  /** Table and column. */
  @IsString() column: string;
  @IsInt() current: number;
  @IsInt() previous: number;
  /** Values encrypted before keys had ids, which either key may decrypt. */
  @IsInt() withoutKeyId: number;
  /** Values encrypted with a key that the service does not have. */
  @IsInt() unknown: number;
}

export class CountSecretsReply {
  /** ID of the key with which the service encrypts. */
  @IsString() keyId: string;
  @ValidateNested({ each: true }) @Type(() => SecretCount) columns: SecretCount[];
}

const countSecrets = (owner: ServiceName, column: string) =>
  command({
    name: `${owner}.count-secrets.v1`,
    owner,
    changes: false,
    description: 'Counts the encrypted values that the service stores, by encryption key.',
    request: CountSecretsCommand,
    response: CountSecretsReply,
    timeoutMs: 30_000,
    sample: {
      request: {},
      response: { keyId: '5f0c2a91', columns: [{ column, current: 12, previous: 3, withoutKeyId: 0, unknown: 0 }] },
    },
  });

export const messagingCountSecretsV1 = countSecrets('messaging', 'numbers.sealed_access_token');
export const templatesCountSecretsV1 = countSecrets('templates', 'upstream_accounts.sealed_access_token');
export const webhooksCountSecretsV1 = countSecrets('webhooks', 'endpoints.sealed_secret');

export class ResealSecretsCommand {
  /** Table and column, as in `SecretCount`. */
  @IsString() column: string;
  /** Row after which to continue; starts with the first row if absent. */
  @IsOptional() @IsString() after?: string;
  /** Maximum values to re-encrypt in this step. */
  @IsInt() @Min(1) @Max(1_000) limit: number;
}

export class ResealSecretsReply {
  /** Values that were re-encrypted in this step. */
  @IsInt() resealed: number;
  /** Rows with values that no key of the service can decrypt; the values stay unchanged. */
  @IsString({ each: true }) unreadable: string[];
  /** Last scanned row, to continue after; absent if no rows remain. */
  @IsOptional() @IsString() next?: string;
}

const resealSecrets = (owner: ServiceName, column: string) =>
  command({
    name: `${owner}.reseal-secrets.v1`,
    owner,
    changes: true,
    description: 'Re-encrypts a bounded part of one column with the current key, bound to each row. Idempotent.',
    request: ResealSecretsCommand,
    response: ResealSecretsReply,
    timeoutMs: 30_000,
    sample: { request: { column, limit: 200 }, response: { resealed: 200, unreadable: [], next: 'row_200' } },
  });

export const messagingResealSecretsV1 = resealSecrets('messaging', 'numbers.sealed_access_token');
export const templatesResealSecretsV1 = resealSecrets('templates', 'upstream_accounts.sealed_access_token');
export const webhooksResealSecretsV1 = resealSecrets('webhooks', 'endpoints.sealed_secret');
