// @ts-check
import { HOME, ROOT } from './home.mjs';
import { join } from 'node:path';

/** Services, each with its own database schema and login, in the order of their management ports. */
export const SERVICES = /** @type {const} */ (['gateway', 'messaging', 'templates', 'otp', 'jobs', 'webhooks']);

/** Programs of a running installation. */
export const PROGRAMS = /** @type {const} */ ([...SERVICES, 'simulator']);

/** Environment variables that identify the processes of an installation. */
export const HOME_MARK = 'SWITCHBOARD_HOME';
export const SERVICE_MARK = 'SWITCHBOARD_SERVICE';

/**
 * @typedef {object} Setting input for the programs' environments
 * @property {import('../infra/index.mjs').Infra} infra
 * @property {import('./secrets.mjs').Secrets} secrets
 * @property {Record<string, number>} ports public ports `gateway` and `simulator`, and `gateway:management` etc.
 */

/**
 * Node flags of a service, here and in containers. A young generation above the default 16 MB lets most objects die
 * before they are promoted, which saves a tenth of the CPU time per webhook. The old generation may double before a
 * full collection. By default, Node collects after little growth, which cost 0.15 to 0.3 s of a core every ten seconds
 * in a service that sends a bulk job.
 */
export const SERVICE_FLAGS = [
  '--enable-source-maps',
  '--min-semi-space-size=16',
  '--max-semi-space-size=32',
  '--heap-growing-percent=100',
];

/**
 * Maximum time for a program to stop, including a margin. Stopping is usually immediate, because a service waits only
 * for commands in flight.
 */
export const STOP_GRACE_MS = 105_000;

/** Returns the path of a built program. */
export function programFile(/** @type {string} */ app, entry = 'main', root = ROOT) {
  return join(root, 'dist/apps', app, `${entry}.mjs`);
}

/** Returns the database URL with a service's own login. */
export function databaseUrlOf(/** @type {string} */ service, /** @type {Setting} */ { infra, secrets }) {
  const url = new URL(infra.databaseUrl);
  url.username = `sb_${service}${infra.loginSuffix}`;
  url.password = secrets.databasePasswords[service] ?? '';
  return url.href;
}

/**
 * Returns the broker URL with the login of a service or the operator, or with the shared login when there are no
 * separate ones.
 */
export function brokerUrlOf(/** @type {string} */ login, /** @type {Pick<Setting, 'infra'>} */ { infra }) {
  return infra.brokerLogins?.[login] ?? infra.rabbitmqUrl;
}

/**
 * Returns the type of the command queues: the user's setting, or `classic` on a single node that was started here or
 * found on the default port. A broker given by its URL gets the services' default.
 */
export function commandQueuesOf(/** @type {Setting['infra']} */ { chosen, brokerNodes = 1 }) {
  const isOneNode = chosen.rabbitmq !== 'given' && brokerNodes === 1;
  return process.env['COMMAND_QUEUES'] || (isOneNode ? 'classic' : 'quorum');
}

/**
 * Returns the environment of a program. Keeps the user's settings (log level, timeouts …), except for addresses and
 * secrets that must match.
 * @returns {Record<string, string>}
 */
export function environmentOf(/** @type {string} */ app, /** @type {Setting} */ setting) {
  const user = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return { ...defaultsOf(setting), ...user, ...fixedEnvironmentOf(app, setting) };
}

/** Returns the variables that override the user's settings. @returns {Record<string, string>} */
export function fixedEnvironmentOf(/** @type {string} */ app, /** @type {Setting} */ setting) {
  const marks = { [HOME_MARK]: HOME, [SERVICE_MARK]: app };
  return { ...marks, ...(app === 'simulator' ? simulatorEnvironment(setting) : serviceEnvironment(app, setting)) };
}

function defaultsOf(/** @type {Setting} */ { ports }) {
  return {
    LOG_LEVEL: 'info',
    CONNECTION_DRAIN_SECONDS: '0', // stop fast on a developer's machine
    UPSTREAM_BASE_URL: `http://127.0.0.1:${ports['simulator']}`,
    PUBLIC_BASE_URL: `http://localhost:${ports['gateway']}`,
    SIMULATOR_HOST: '127.0.0.1',
    SIMULATOR_PAGE_URL: `http://localhost:${ports['simulator']}`,
    WEBHOOK_ALLOW_PRIVATE: 'true', // a developer's webhook receiver is usually on localhost
  };
}

function serviceEnvironment(/** @type {string} */ service, /** @type {Setting} */ setting) {
  const { infra, secrets, ports } = setting;
  return {
    DATABASE_URL: databaseUrlOf(service, setting),
    RABBITMQ_URL: brokerUrlOf(service, setting),
    BROKER_NAMESPACE: infra.namespace,
    COMMAND_QUEUES: commandQueuesOf(infra),
    MANAGEMENT_PORT: String(ports[`${service}:management`]),
    GATEWAY_PORT: String(ports['gateway']),
    ENCRYPTION_KEY: secrets.encryptionKey,
    ...(secrets.encryptionKeyPrevious && { ENCRYPTION_KEY_PREVIOUS: secrets.encryptionKeyPrevious }),
    BLOB_DIR: join(HOME, 'blobs'), // shared by gateway, messaging, templates and jobs
    OTP_PEPPER: secrets.otpPepper,
    UPSTREAM_APP_SECRET: secrets.appSecret,
    UPSTREAM_VERIFY_TOKEN: secrets.verifyToken,
    SIMULATOR_ACCESS_TOKEN: secrets.accessToken,
  };
}

function simulatorEnvironment(/** @type {Setting} */ { secrets, ports }) {
  return {
    SIMULATOR_PORT: String(ports['simulator']),
    SIMULATOR_CALLBACK_URL: `http://127.0.0.1:${ports['gateway']}/callbacks/upstream`,
    SIMULATOR_APP_SECRET: secrets.appSecret,
    SIMULATOR_VERIFY_TOKEN: secrets.verifyToken,
    SIMULATOR_ACCESS_TOKEN: secrets.accessToken,
  };
}

/** Returns the URL at which a program reports its own health and that of its dependencies. */
export function healthUrl(/** @type {string} */ app, /** @type {Record<string, number>} */ ports) {
  return app === 'simulator'
    ? `http://127.0.0.1:${ports['simulator']}/live`
    : `http://127.0.0.1:${ports[`${app}:management`]}/health`;
}
