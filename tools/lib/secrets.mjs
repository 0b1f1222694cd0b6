// @ts-check
import { randomBytes } from 'node:crypto';
import { homePath } from './home.mjs';
import { readJson, writeJson } from './json-file.mjs';
import { SERVICES } from './services.mjs';

/**
 * @typedef {object} Secrets made once per installation; losing them makes stored customer secrets unreadable
 * @property {string} encryptionKey
 * @property {string} [encryptionKeyPrevious] the other key while it is being replaced (docs/encryption-keys.md);
 * written by hand
 * @property {string} otpPepper
 * @property {string} appSecret shared with the upstream platform (the simulator): signs its callbacks
 * @property {string} verifyToken
 * @property {string} brokerSeed the passwords of our logins on a broker that was found are made of it
 * @property {string} accessToken what the simulator expects as bearer
 * @property {Record<string, string>} databasePasswords by service
 */

/** @returns {Secrets} */
export function ensureSecrets() {
  const path = homePath('secrets.json');
  const earlier = readJson(path);
  const word = () => randomBytes(24).toString('hex');
  const secrets = {
    encryptionKey: randomBytes(32).toString('base64'),
    otpPepper: word(),
    appSecret: word(),
    verifyToken: word(),
    brokerSeed: word(),
    accessToken: word(),
    ...earlier,
    databasePasswords: { ...Object.fromEntries(SERVICES.map((name) => [name, word()])), ...earlier?.databasePasswords },
  };
  writeJson(path, secrets);
  return secrets;
}
