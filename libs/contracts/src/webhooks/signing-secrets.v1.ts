import { IsString } from 'class-validator';
import { Nested } from '../body-docs';
import { command } from '../message-contract';
import { WebhookEndpointRecord, webhookSamples } from './webhook-records';

export class RotateSecretCommand {
  @IsString() accountId: string;
  @IsString() endpointId: string;
}

export class RotateSecretReply {
  /** New signing secret for the owner, who sees it once; encrypted with ENCRYPTION_KEY. */
  @IsString() sealedSecret: string;
  /**
   * End of the rotation. Until then, or until the rotation is confirmed, the old secret signs `X-Service-Signature` and
   * the new one signs `X-Service-Signature-Next`.
   */
  @IsString() rotationEndsAt: string;
}

export const rotateSecretV1 = command({
  name: 'webhooks.rotate-secret.v1',
  owner: 'webhooks',
  description:
    'Adds a new signing secret to a webhook endpoint, next to the old one. `webhook-signature` carries both signatures for 24 hours or until confirmed.',
  request: RotateSecretCommand,
  response: RotateSecretReply,
  changes: true,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', endpointId: 'ep_01jd0000000000000000000000' },
    response: { sealedSecret: 'v1.c2VhbGVk', rotationEndsAt: '2026-03-03T10:00:00.000Z' },
  },
});

export class ConfirmRotationCommand {
  @IsString() accountId: string;
  @IsString() endpointId: string;
}

export class ConfirmRotationReply {
  @Nested(() => WebhookEndpointRecord) endpoint: WebhookEndpointRecord;
}

export const confirmRotationV1 = command({
  name: 'webhooks.confirm-rotation.v1',
  owner: 'webhooks',
  description:
    'Completes the rotation of a signing secret: only the new secret signs from now on. Rejected if no rotation is in progress.',
  request: ConfirmRotationCommand,
  response: ConfirmRotationReply,
  changes: true,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', endpointId: 'ep_01jd0000000000000000000000' },
    response: { endpoint: webhookSamples.endpoint },
  },
});
