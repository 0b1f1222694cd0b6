import { secret } from '@switchboard/platform';
import { z } from 'zod';
import { DEFAULT_VERSION } from './versions';

/** Settings of services that call the upstream platform. */
export const upstreamFields = {
  UPSTREAM_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .describe("Base URL of the upstream platform's API, or of the simulator in local mode"),
  UPSTREAM_API_VERSION: z
    .string()
    .regex(/^v[0-9]+\.[0-9]+$/, 'must look like v24.0')
    .default(DEFAULT_VERSION)
    .describe(
      'API version of the upstream platform, as in its paths. `docs/platform-support.md` lists the supported versions and their ends',
    ),
  UPSTREAM_APP_SECRET: secret(
    z
      .string()
      .min(1)
      .optional()
      .describe(
        "Secret of the app that owns the numbers' access tokens. If set, every call to the upstream platform carries a proof (appsecret_proof), which apps with Require App Secret need",
      ),
  ),
} as const;
