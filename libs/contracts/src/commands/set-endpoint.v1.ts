import { IsString, MaxLength } from 'class-validator';
import { command } from '../message-contract';
import { IsStorableText } from '../validation';

export class SetEndpointCommand {
  @IsString() accountId: string;
  @IsString() @IsStorableText() @MaxLength(2000) url: string;
  /** Sent back to the endpoint in the verification challenge (spec §11.1.2). Encrypted with ENCRYPTION_KEY. */
  @IsString() sealedVerifyToken: string;
}

export class SetEndpointReply {
  @IsString() id: string;
  @IsString() url: string;
  /** The new signing secret, encrypted with ENCRYPTION_KEY: shown once to the operator. */
  @IsString() sealedSecret: string;
}

export const setEndpointV1 = command({
  name: 'webhooks.set-endpoint.v1',
  owner: 'webhooks',
  description: "Runs the verification challenge and, when it passes, makes the URL the account's webhook endpoint.",
  request: SetEndpointCommand,
  response: SetEndpointReply,
  changes: true,
  timeoutMs: 15_000,
  maxBytes: 32_768,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', url: 'https://example.com/hook', sealedVerifyToken: 'v1.c2VhbGVk' },
    response: { id: 'ep_01jd0000000000000000000000', url: 'https://example.com/hook', sealedSecret: 'v1.c2VhbGVk' },
  },
});
