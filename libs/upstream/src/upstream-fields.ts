import { secret } from '@switchboard/platform';
import { z } from 'zod';

/** Settings of services that call the upstream platform. */
export const upstreamFields = {
  UPSTREAM_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .describe("Origin of the upstream platform's API; the simulator's address in local mode"),
  UPSTREAM_API_VERSION: z
    .string()
    .regex(/^v[0-9]+\.[0-9]+$/, 'must look like v24.0')
    .default('v24.0')
    .describe("Version segment of the upstream platform's API"),
  UPSTREAM_APP_SECRET: secret(
    z
      .string()
      .min(1)
      .optional()
      .describe(
        "Secret of the app that the numbers' access tokens belong to: with it every call of the upstream platform carries a proof (appsecret_proof), as an app with Require App Secret demands; without it none does",
      ),
  ),
} as const;
