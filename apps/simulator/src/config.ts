import { type ConfigOf, defineConfig, integerField, portField, readConfig, secret, serviceFields } from '@switchboard/platform';
import { z } from 'zod';

/** Settings of the simulator. */
export const settings = defineConfig('simulator', {
  SIMULATOR_PORT: portField(3900, 'Port of the simulator: Cloud API, control API, page and /live'),
  LISTEN_ADDRESS: z.string().default('127.0.0.1').describe('Address the simulator listens on; 0.0.0.0 for all, as in a container'),
  SIMULATOR_CALLBACK_URL: z
    .url({ protocol: /^https?$/ })
    .default('http://127.0.0.1:3000/callbacks/upstream')
    .describe("Where the simulator posts its callbacks: the gateway's /callbacks/upstream"),
  SIMULATOR_APP_SECRET: secret(z.string().min(1).describe("Signs the callbacks; the gateway's UPSTREAM_APP_SECRET")),
  SIMULATOR_VERIFY_TOKEN: secret(z.string().min(1).describe("Sent when the callback address is verified; the gateway's UPSTREAM_VERIFY_TOKEN")),
  SIMULATOR_ACCESS_TOKEN: secret(z.string().min(1).describe('The bearer token that callers of the Cloud API must present')),
  SIMULATOR_SENT_DELAY_MS: integerField({ min: 0, max: 600_000, fallback: 50 }, 'Milliseconds from an accepted send to its status sent (or failed)'),
  SIMULATOR_DELIVERED_DELAY_MS: integerField({ min: 0, max: 600_000, fallback: 250 }, 'Milliseconds from an accepted send to its status delivered'),
  SIMULATOR_READ_DELAY_MS: integerField({ min: 0, max: 600_000, fallback: 800 }, 'Milliseconds from an accepted send to its status read'),
  SIMULATOR_CALLBACK_RETRY_MAX_SECONDS: integerField(
    { min: 1, max: 86_400, fallback: 60 },
    'Longest wait in seconds between two attempts of a callback that was not answered 200; tries go on for 7 days',
  ),
  LOG_LEVEL: serviceFields.LOG_LEVEL,
});

/** The simulator's settings in the shape its code uses. */
export interface SimulatorSettings {
  callbackUrl: string;
  appSecret: string;
  verifyToken: string;
  accessToken: string;
  delaysMs: { sent: number; delivered: number; read: number };
  callbackRetryMaxMs: number;
}

export function toSettings(config: ConfigOf<typeof settings>): SimulatorSettings {
  return {
    callbackUrl: config.SIMULATOR_CALLBACK_URL,
    appSecret: config.SIMULATOR_APP_SECRET,
    verifyToken: config.SIMULATOR_VERIFY_TOKEN,
    accessToken: config.SIMULATOR_ACCESS_TOKEN,
    delaysMs: {
      sent: config.SIMULATOR_SENT_DELAY_MS,
      delivered: config.SIMULATOR_DELIVERED_DELAY_MS,
      read: config.SIMULATOR_READ_DELAY_MS,
    },
    callbackRetryMaxMs: config.SIMULATOR_CALLBACK_RETRY_MAX_SECONDS * 1_000,
  };
}

/** The validated settings of this process. */
export const readSettings = (): ConfigOf<typeof settings> => readConfig(settings, process.env);
