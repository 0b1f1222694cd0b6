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
import type { PortfolioSettings } from './limits/portfolio-limits';
import type { PricingSettings } from './messages/pricing';

export const settings = defineConfig('simulator', {
  SIMULATOR_PORT: portField(3900, 'Port of the simulator (Cloud API, control API, page and /live)'),
  LISTEN_ADDRESS: z
    .string()
    .default('127.0.0.1')
    .describe('IP address on which the simulator listens; 0.0.0.0 for all interfaces, as in a container'),
  SIMULATOR_CALLBACK_URL: z
    .url({ protocol: /^https?$/ })
    .default('http://127.0.0.1:3000/callbacks/upstream')
    .describe("URL to which the simulator sends its callbacks: the gateway's /callbacks/upstream"),
  SIMULATOR_CALLBACKS_BY_HTTPS: flagField(
    false,
    'Mark callbacks as HTTPS (X-Forwarded-Proto), like the proxy in front of a gateway with REQUIRE_HTTPS',
  ),
  SIMULATOR_APP_SECRET: secret(
    z.string().min(1).describe("Secret that signs the callbacks: the gateway's UPSTREAM_APP_SECRET"),
  ),
  SIMULATOR_REQUIRE_APP_SECRET: flagField(
    false,
    'Require a proof from SIMULATOR_APP_SECRET (appsecret_proof) in calls, like an app with Require App Secret',
  ),
  SIMULATOR_VERIFY_TOKEN: secret(
    z.string().min(1).describe("Token that is sent to verify the callback URL: the gateway's UPSTREAM_VERIFY_TOKEN"),
  ),
  SIMULATOR_ACCESS_TOKEN: secret(z.string().min(1).describe('Bearer token that clients of the Cloud API must send')),
  SIMULATOR_SENT_DELAY_MS: integerField(
    { min: 0, max: 600_000, fallback: 50 },
    'Time from an accepted send to its status sent (or failed), in milliseconds',
  ),
  SIMULATOR_DELIVERED_DELAY_MS: integerField(
    { min: 0, max: 600_000, fallback: 250 },
    'Time from an accepted send to its status delivered, in milliseconds',
  ),
  SIMULATOR_READ_DELAY_MS: integerField(
    { min: 0, max: 600_000, fallback: 800 },
    'Time from an accepted send to its status read, in milliseconds',
  ),
  SIMULATOR_CALLBACK_RETRY_MAX_SECONDS: integerField(
    { min: 1, max: 86_400, fallback: 60 },
    'Maximum delay between two attempts of a callback that did not get a 200, in seconds. Attempts continue for 7 days',
  ),
  SIMULATOR_CONTROL_ACCESS: z
    .enum(['loopback', 'any'])
    .default('loopback')
    .describe(
      'Clients allowed to use /_control, which has no authentication: programs on the same machine (loopback), or any client that reaches the port (any)',
    ),
  SIMULATOR_RATE_LIMITS: flagField(
    false,
    'Apply the upstream limits of 80 messages per second and number, and of a burst of 45 to one user. Off by default, since load tests use few users',
  ),
  SIMULATOR_MESSAGING_LIMITS: flagField(
    false,
    'Enforce the messaging limits of business portfolios: contacts outside a service window that the numbers of a portfolio may message within 24 hours. Off by default, because load tests message many contacts',
  ),
  SIMULATOR_LIMIT_RAISE_MINUTES: integerField(
    { min: 0, max: 10_080, fallback: 360 },
    'Minutes after which a portfolio that used half of its messaging limit is raised to the next tier',
  ),
  SIMULATOR_PRICING_DATE: z.iso
    .date()
    .optional()
    .describe(
      'Day, in UTC, whose prices apply to all messages, such as 2026-09-30. From 2026-10-01 on, messages in the service window are billable. The current day by default',
    ),
  SIMULATOR_FREE_SERVICE_MESSAGES: integerField(
    { min: 0, max: 1_000_000, fallback: 1_000 },
    'Free service messages per business number and calendar month, from 2026-10-01 on',
  ),
  SIMULATOR_FETCH_LINKS: flagField(
    false,
    'Fetch media links after the response to a send, as the upstream platform does. A failure becomes the status failed with error 131053',
  ),
  SIMULATOR_REVIEW_DELAY_MS: integerField(
    { min: 0, max: 86_400_000, fallback: 3_000 },
    'Duration of the review of a new or edited template, in milliseconds',
  ),
  SIMULATOR_FIRST_PAUSE_MINUTES: integerField(
    { min: 1, max: 10_080, fallback: 180 },
    "Duration of a template's first pause after a bad quality score, in minutes. The second pause is twice as long, and the third score disables the template",
  ),
  SIMULATOR_MEDIA_MEGABYTES: integerField(
    { min: 1, max: 10_240, fallback: 512 },
    'Maximum size of the media in the temporary directory, in megabytes. The oldest are deleted first',
  ),
  SIMULATOR_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Origin of the media URLs in callbacks, as messaging reaches the simulator; http://127.0.0.1 with its port by default',
    ),
  SIMULATOR_REFERENCE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "Public URL of the API reference, for a link on the simulator's page; /docs at the origin of SIMULATOR_CALLBACK_URL by default",
    ),
  LOG_LEVEL: serviceFields.LOG_LEVEL,
});

export interface SimulatorSettings {
  callbackUrl: string;
  /** Headers of every callback and of the challenge. */
  callbackHeaders: Record<string, string>;
  appSecret: string;
  requireAppSecret: boolean;
  verifyToken: string;
  accessToken: string;
  delaysMs: { sent: number; delivered: number; read: number };
  callbackRetryMaxMs: number;
  controlAccess: ControlAccess;
  rateLimits: boolean;
  portfolio: PortfolioSettings;
  pricing: PricingSettings;
  fetchLinks: boolean;
  reviewDelayMs: number;
  firstPauseMs: number;
  mediaBytes: number;
  /** Origin of media URLs in callbacks. Defaults to the origin of the call that triggers the callback. */
  baseUrl?: string;
  /** URL of Switchboard's API reference, for browsers. */
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
    portfolio: {
      enforced: config.SIMULATOR_MESSAGING_LIMITS,
      raiseMs: config.SIMULATOR_LIMIT_RAISE_MINUTES * 60_000,
    },
    pricing: {
      date: config.SIMULATOR_PRICING_DATE === undefined ? null : new Date(config.SIMULATOR_PRICING_DATE),
      freeServiceMessages: config.SIMULATOR_FREE_SERVICE_MESSAGES,
    },
    fetchLinks: config.SIMULATOR_FETCH_LINKS,
    reviewDelayMs: config.SIMULATOR_REVIEW_DELAY_MS,
    firstPauseMs: config.SIMULATOR_FIRST_PAUSE_MINUTES * 60_000,
    mediaBytes: config.SIMULATOR_MEDIA_MEGABYTES * 1024 * 1024,
    baseUrl: config.SIMULATOR_BASE_URL?.replace(/\/$/, '') ?? `http://127.0.0.1:${config.SIMULATOR_PORT}`,
    referenceUrl: config.SIMULATOR_REFERENCE_URL ?? new URL('/docs', config.SIMULATOR_CALLBACK_URL).href,
  };
}

export const readSettings = (): ConfigOf<typeof settings> => readConfig(settings, process.env);
