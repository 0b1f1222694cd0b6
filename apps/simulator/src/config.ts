import {
  type ConfigOf,
  defineConfig,
  flagField,
  integerField,
  portField,
  readConfig,
  secret,
  serviceFields,
} from '@switchboard/platform';
import { z } from 'zod';
import type { ControlAccess } from './control/control-access';

/** Settings of the simulator. */
export const settings = defineConfig('simulator', {
  SIMULATOR_PORT: portField(3900, 'Port of the simulator: Cloud API, control API, page and /live'),
  LISTEN_ADDRESS: z
    .string()
    .default('127.0.0.1')
    .describe('Address the simulator listens on; 0.0.0.0 for all, as in a container'),
  SIMULATOR_CALLBACK_URL: z
    .url({ protocol: /^https?$/ })
    .default('http://127.0.0.1:3000/callbacks/upstream')
    .describe("Where the simulator posts its callbacks: the gateway's /callbacks/upstream"),
  SIMULATOR_CALLBACKS_BY_HTTPS: flagField(
    false,
    'Whether callbacks say that they came by HTTPS (X-Forwarded-Proto), as the proxy in front of a gateway with REQUIRE_HTTPS does',
  ),
  SIMULATOR_APP_SECRET: secret(z.string().min(1).describe("Signs the callbacks; the gateway's UPSTREAM_APP_SECRET")),
  SIMULATOR_REQUIRE_APP_SECRET: flagField(
    false,
    'Whether calls need a proof made of SIMULATOR_APP_SECRET (appsecret_proof), as an app with Require App Secret demands',
  ),
  SIMULATOR_VERIFY_TOKEN: secret(
    z.string().min(1).describe("Sent when the callback address is verified; the gateway's UPSTREAM_VERIFY_TOKEN"),
  ),
  SIMULATOR_ACCESS_TOKEN: secret(
    z.string().min(1).describe('The bearer token that callers of the Cloud API must present'),
  ),
  SIMULATOR_SENT_DELAY_MS: integerField(
    { min: 0, max: 600_000, fallback: 50 },
    'Milliseconds from an accepted send to its status sent (or failed)',
  ),
  SIMULATOR_DELIVERED_DELAY_MS: integerField(
    { min: 0, max: 600_000, fallback: 250 },
    'Milliseconds from an accepted send to its status delivered',
  ),
  SIMULATOR_READ_DELAY_MS: integerField(
    { min: 0, max: 600_000, fallback: 800 },
    'Milliseconds from an accepted send to its status read',
  ),
  SIMULATOR_CALLBACK_RETRY_MAX_SECONDS: integerField(
    { min: 1, max: 86_400, fallback: 60 },
    'Longest wait in seconds between two attempts of a callback that was not answered 200; tries go on for 7 days',
  ),
  SIMULATOR_CONTROL_ACCESS: z
    .enum(['loopback', 'any'])
    .default('loopback')
    .describe(
      'Who may use /_control, which has no authentication: programs on the same machine, or anybody who reaches the port',
    ),
  SIMULATOR_RATE_LIMITS: flagField(
    false,
    'Whether sends meet the 80 messages a second of a number and the burst of 45 to one user, as upstream; off, since load tests hammer few users',
  ),
  SIMULATOR_FETCH_LINKS: flagField(
    false,
    'Whether media links are fetched after the send was answered, as upstream does; a failure becomes the status failed 131053',
  ),
  SIMULATOR_REVIEW_DELAY_MS: integerField(
    { min: 0, max: 86_400_000, fallback: 3_000 },
    'Milliseconds from a new or edited template to the end of its review',
  ),
  SIMULATOR_FIRST_PAUSE_MINUTES: integerField(
    { min: 1, max: 10_080, fallback: 180 },
    'Minutes that a template is paused for its first bad quality score; twice as long for the second, disabled at the third',
  ),
  SIMULATOR_MEDIA_MEGABYTES: integerField(
    { min: 1, max: 10_240, fallback: 512 },
    'Most megabytes of media kept in the temporary folder; the oldest go first',
  ),
  SIMULATOR_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Origin of the media addresses in callbacks, as messaging reaches the simulator; http://127.0.0.1 with its port by default',
    ),
  SIMULATOR_REFERENCE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "Address of the API's reference page as a browser reaches it, for a link on the simulator's page; /docs at the origin of SIMULATOR_CALLBACK_URL by default",
    ),
  LOG_LEVEL: serviceFields.LOG_LEVEL,
});

/** The simulator's settings in the shape its code uses. */
export interface SimulatorSettings {
  callbackUrl: string;
  /** Sent with every callback and with the challenge. */
  callbackHeaders: Record<string, string>;
  appSecret: string;
  requireAppSecret: boolean;
  verifyToken: string;
  accessToken: string;
  delaysMs: { sent: number; delivered: number; read: number };
  callbackRetryMaxMs: number;
  controlAccess: ControlAccess;
  rateLimits: boolean;
  fetchLinks: boolean;
  reviewDelayMs: number;
  firstPauseMs: number;
  mediaBytes: number;
  /** Origin of media addresses in callbacks; that of the call that makes the callback when absent. */
  baseUrl?: string;
  /** Where a browser finds the reference of Switchboard's API. */
  referenceUrl: string;
}

export function toSettings(config: ConfigOf<typeof settings>): SimulatorSettings {
  return {
    callbackUrl: config.SIMULATOR_CALLBACK_URL,
    callbackHeaders: config.SIMULATOR_CALLBACKS_BY_HTTPS ? { 'x-forwarded-proto': 'https' } : {},
    appSecret: config.SIMULATOR_APP_SECRET,
    requireAppSecret: config.SIMULATOR_REQUIRE_APP_SECRET,
    verifyToken: config.SIMULATOR_VERIFY_TOKEN,
    accessToken: config.SIMULATOR_ACCESS_TOKEN,
    delaysMs: {
      sent: config.SIMULATOR_SENT_DELAY_MS,
      delivered: config.SIMULATOR_DELIVERED_DELAY_MS,
      read: config.SIMULATOR_READ_DELAY_MS,
    },
    callbackRetryMaxMs: config.SIMULATOR_CALLBACK_RETRY_MAX_SECONDS * 1_000,
    controlAccess: config.SIMULATOR_CONTROL_ACCESS,
    rateLimits: config.SIMULATOR_RATE_LIMITS,
    fetchLinks: config.SIMULATOR_FETCH_LINKS,
    reviewDelayMs: config.SIMULATOR_REVIEW_DELAY_MS,
    firstPauseMs: config.SIMULATOR_FIRST_PAUSE_MINUTES * 60_000,
    mediaBytes: config.SIMULATOR_MEDIA_MEGABYTES * 1024 * 1024,
    baseUrl: config.SIMULATOR_BASE_URL?.replace(/\/$/, '') ?? `http://127.0.0.1:${config.SIMULATOR_PORT}`,
    referenceUrl: config.SIMULATOR_REFERENCE_URL ?? new URL('/docs', config.SIMULATOR_CALLBACK_URL).href,
  };
}

/** The validated settings of this process. */
export const readSettings = (): ConfigOf<typeof settings> => readConfig(settings, process.env);
