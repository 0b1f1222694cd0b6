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

/** Everything that can be set for the otp service. */
export const settings = defineConfig('otp', {
  ...serviceFields,
  ...poolFields({ requests: 3, background: 2 }),
  ...transitKeyFields,
  OTP_PEPPER: secret(
    z
      .string()
      .min(PEPPER_MIN_CHARACTERS)
      .describe(
        `Key of the hashes that one-time codes are stored as: at least ${PEPPER_MIN_CHARACTERS} random characters (openssl rand -base64 32); to change it, put the old one into OTP_PEPPER_PREVIOUS`,
      ),
  ),
  OTP_PEPPER_PREVIOUS: secret(
    z
      .string()
      .min(PEPPER_MIN_CHARACTERS)
      .optional()
      .describe(
        'The pepper before OTP_PEPPER was changed: codes sent with it can be verified until they expire; leave it out again after 90 minutes',
      ),
  ),
  OTP_SETTLE_SECONDS: integerField(
    { min: 30, max: 3_600, fallback: 60 },
    'After how long a send of a one-time code without a known outcome is settled by asking what became of it, in seconds; nobody may be sending it any more by then',
  ),
});

/** What the migration command needs. */
export const migrationSettings = defineConfig('otp', migrationFields);

export type OtpConfig = ConfigOf<typeof settings>;

export const readSettings = (): OtpConfig => readConfig(settings, process.env);

export const readMigrationSettings = () => readConfig(migrationSettings, process.env);
