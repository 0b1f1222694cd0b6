import { migrationFields, poolFields } from '@switchboard/database';
import {
  type ConfigOf,
  defineConfig,
  integerField,
  readConfig,
  secret,
  serviceFields,
  transitKeyFields,
} from '@switchboard/platform';
import { z } from 'zod';

const PEPPER_MIN_CHARACTERS = 32;

export const settings = defineConfig('otp', {
  ...serviceFields,
  ...poolFields({ requests: 3, background: 2 }),
  ...transitKeyFields,
  OTP_PEPPER: secret(
    z
      .string()
      .min(PEPPER_MIN_CHARACTERS)
      .describe(
        `Key of the hashes of stored one-time codes: at least ${PEPPER_MIN_CHARACTERS} random characters (openssl rand -base64 32). To change it, set OTP_PEPPER_PREVIOUS to the old value`,
      ),
  ),
  OTP_PEPPER_PREVIOUS: secret(
    z
      .string()
      .min(PEPPER_MIN_CHARACTERS)
      .optional()
      .describe(
        'Previous value of OTP_PEPPER. Codes sent with it can be verified until they expire. Remove it after 90 minutes',
      ),
  ),
  OTP_SETTLE_SECONDS: integerField(
    { min: 30, max: 3_600, fallback: 60 },
    'Time after which the outcome of a one-time code with an unknown send outcome is queried, in seconds. Must be longer than a send can take',
  ),
});

export const migrationSettings = defineConfig('otp', migrationFields);

export type OtpConfig = ConfigOf<typeof settings>;

export const readSettings = (): OtpConfig => readConfig(settings, process.env);

export const readMigrationSettings = () => readConfig(migrationSettings, process.env);
