import { IsInt, IsOptional, IsString, Max, Min, ValidateNested } from 'class-validator';
import { Type } from './body-values';
import { command } from './message-contract';
import type { ServiceName } from './services';

export class CountSecretsCommand {}

/** Encrypted values of one column, by the key that they need. */
export class SecretCount {
  /** Table and column. */
  @IsString() column: string;
  @IsInt() current: number;
  @IsInt() previous: number;
  /** Encrypted before keys had ids: with either key. */
  @IsInt() withoutKeyId: number;
  /** Encrypted with a key that the service does not have. */
  @IsInt() unknown: number;
}

export class CountSecretsReply {
  /** ID of the key that the service encrypts with. */
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
  /** Table and column, as counted. */
  @IsString() column: string;
  /** Only rows after this one; all when absent. */
  @IsOptional() @IsString() after?: string;
  /** Maximum values of this step. */
  @IsInt() @Min(1) @Max(1_000) limit: number;
}

export class ResealSecretsReply {
  /** Values that were re-encrypted in this step. */
  @IsInt() resealed: number;
  /** Rows with values that no key of the service can decrypt; they stay unchanged. */
  @IsString({ each: true }) unreadable: string[];
  /** Last row that was scanned, to continue after; absent when there are no more. */
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
