import { integer, list, object, orNull, type Schema, success, text, time } from '../../openapi/schema';

const EXAMPLE = {
  success: true,
  account: { id: 'acc_01jd0000000000000000000000', name: 'Shop', createdAt: '2026-03-02T10:15:00.000Z' },
  apiClient: {
    id: 'key_01jd0000000000000000000000',
    name: 'server',
    keyPrefix: 'sb_live_4fQz',
    allowedIps: ['203.0.113.0/24'],
    allowedRoutes: ['POST /v1/messages/*'],
    expiresAt: null,
  },
  plan: { name: 'growth', features: ['BULK_MSG_LIMIT', 'MEDIA'], limits: { bulkRecipients: 1000, excelRows: 0 } },
  credits: { utility: 940 },
  rateLimit: { limit: 60, remaining: 57, windowSeconds: 60, resetAt: '2026-03-02T10:16:00.000Z' },
  numbers: [{ phoneNumber: '15550783881', qualityRating: 'GREEN', messagingLimit: 'TIER_10K', status: 'connected' }],
};

export const meSchemas = {
  Me: object(
    {
      success,
      account: object({ id: text(), name: text(), createdAt: time }),
      apiClient: object({
        id: text(),
        name: text(),
        keyPrefix: text('The first characters of the key'),
        allowedIps: list(text('An address or CIDR range; none means all are allowed')),
        allowedRoutes: list(text('A method and a path pattern; none means all are allowed')),
        expiresAt: orNull(time),
      }),
      plan: object({
        name: text(),
        features: list(text()),
        limits: object({ bulkRecipients: integer, excelRows: integer }),
      }),
      credits: object({ utility: integer }),
      rateLimit: object({ limit: integer, remaining: integer, windowSeconds: integer, resetAt: time }),
      numbers: list(
        object({ phoneNumber: text(), qualityRating: orNull(text()), messagingLimit: orNull(text()), status: text() }),
      ),
    },
    { example: EXAMPLE },
  ),
} satisfies Record<string, Schema>;
