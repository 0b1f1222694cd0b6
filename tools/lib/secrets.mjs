// @ts-check
import { randomBytes } from 'node:crypto';
import { homePath } from './home.mjs';
import { readJson, writeJson } from './json-file.mjs';
import { SERVICES } from './services.mjs';

/**
 * @typedef {object} Secrets generated once per installation; losing them makes stored customer secrets unreadable
 * @property {string} encryptionKey
 * @property {string} [encryptionKeyPrevious] second key during a key rotation (docs/encryption-keys.md); added manually
 * @property {string} otpPepper
 * @property {string} appSecret shared with the upstream platform (the simulator), which signs callbacks with it
 * @property {string} verifyToken
 * @property {string} brokerSeed derives the passwords of our logins on an existing broker
 * @property {string} accessToken bearer token that the simulator expects
 * @property {Record<string, string>} databasePasswords passwords by service
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
