import { migrationFields } from '@switchboard/database';
import { type ConfigOf, defineConfig, readConfig, secret, serviceFields } from '@switchboard/platform';
import { z } from 'zod';

const PEPPER_MIN_CHARACTERS = 32;

/** Everything that can be set for the otp service. */
export const settings = defineConfig('otp', {
  ...serviceFields,
  OTP_PEPPER: secret(
    z
      .string()
      .min(PEPPER_MIN_CHARACTERS)
      .describe(
        `Key of the hashes that one-time codes are stored as: at least ${PEPPER_MIN_CHARACTERS} random characters (openssl rand -base64 32); codes sent before a change can no longer be verified`,
      ),
  ),
});

/** What the migration command needs. */
export const migrationSettings = defineConfig('otp', migrationFields);

export type OtpConfig = ConfigOf<typeof settings>;

export const readSettings = (): OtpConfig => readConfig(settings, process.env);

export const readMigrationSettings = () => readConfig(migrationSettings, process.env);
