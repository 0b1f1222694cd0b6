// @ts-check
import { HOME, ROOT } from './home.mjs';
import { join } from 'node:path';

/** The services, each with a database schema and login of its own, in the order of their management ports. */
export const SERVICES = /** @type {const} */ (['gateway', 'messaging', 'templates', 'otp', 'jobs', 'webhooks']);

/** Every program that a running installation consists of. */
export const PROGRAMS = /** @type {const} */ ([...SERVICES, 'simulator']);

/** Variables by which each process of an installation can be recognised. */
export const HOME_MARK = 'SWITCHBOARD_HOME';
export const SERVICE_MARK = 'SWITCHBOARD_SERVICE';

/**
 * @typedef {object} Setting all that the programs' environments are made of
 * @property {import('../infra/index.mjs').Infra} infra
 * @property {import('./secrets.mjs').Secrets} secrets
 * @property {Record<string, number>} ports `gateway` and `simulator` are the public ones, `gateway:management` etc. the
 * others
 */

/**
 * How Node runs a service, here and in the containers. With more room for what is new than the default's 16 MB, most of
 * it is gone before it is ever moved: a tenth less CPU for a webhook. And what was moved may double before all of it is
 * looked through: by itself Node does that after little growth, 0.15 to 0.3 s of a core each time, every ten seconds in
 * a service that sends a bulk job.
 */
export const SERVICE_FLAGS = [
  '--enable-source-maps',
  '--min-semi-space-size=16',
  '--max-semi-space-size=32',
  '--heap-growing-percent=100',
];

/**
 * How long a program may take to stop, with room. Mostly it takes none of it: a service waits only for commands whose
 * callers wait.
 */
export const STOP_GRACE_MS = 105_000;

/** A built program. */
export function programFile(/** @type {string} */ app, entry = 'main', root = ROOT) {
  return join(root, 'dist/apps', app, `${entry}.mjs`);
}

/** The address of a service's own login. */
export function databaseUrlOf(/** @type {string} */ service, /** @type {Setting} */ { infra, secrets }) {
  const url = new URL(infra.databaseUrl);
  url.username = `sb_${service}${infra.loginSuffix}`;
  url.password = secrets.databasePasswords[service] ?? '';
  return url.href;
}

/**
 * The address of a service's own login on the broker, or of the operator's; the common one where the broker has no
 * others for us.
 */
export function brokerUrlOf(/** @type {string} */ login, /** @type {Pick<Setting, 'infra'>} */ { infra }) {
  return infra.brokerLogins?.[login] ?? infra.rabbitmqUrl;
}

/**
 * Type of the command queues: what the user set, else `classic` on one node that is started here or found on the
 * standard port. Nothing is known of a broker that was given, so it gets the services' default.
 */
export function commandQueuesOf(/** @type {Setting['infra']} */ { chosen, brokerNodes = 1 }) {
  const isOneNode = chosen.rabbitmq !== 'given' && brokerNodes === 1;
  return process.env['COMMAND_QUEUES'] || (isOneNode ? 'classic' : 'quorum');
}

/**
 * The environment of one program. What the user set (log level, time limits …) is kept, except addresses and secrets
 * that must agree.
 * @returns {Record<string, string>}
 */
export function environmentOf(/** @type {string} */ app, /** @type {Setting} */ setting) {
  const user = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return { ...defaultsOf(setting), ...user, ...fixedEnvironmentOf(app, setting) };
}

/** What a program must be told, whatever the user set. @returns {Record<string, string>} */
export function fixedEnvironmentOf(/** @type {string} */ app, /** @type {Setting} */ setting) {
  const marks = { [HOME_MARK]: HOME, [SERVICE_MARK]: app };
  return { ...marks, ...(app === 'simulator' ? simulatorEnvironment(setting) : serviceEnvironment(app, setting)) };
}

function defaultsOf(/** @type {Setting} */ { ports }) {
  return {
    LOG_LEVEL: 'info',
    CONNECTION_DRAIN_SECONDS: '0', // a developer waits for the stop
    UPSTREAM_BASE_URL: `http://127.0.0.1:${ports['simulator']}`,
    PUBLIC_BASE_URL: `http://localhost:${ports['gateway']}`,
    SIMULATOR_HOST: '127.0.0.1',
    SIMULATOR_PAGE_URL: `http://localhost:${ports['simulator']}`,
    WEBHOOK_ALLOW_PRIVATE: 'true', // on a developer's machine the receiver is usually on localhost
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
    BLOB_DIR: join(HOME, 'blobs'), // one folder for gateway, messaging, templates and jobs
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

/** Where a program says that it and all that it needs work. */
export function healthUrl(/** @type {string} */ app, /** @type {Record<string, number>} */ ports) {
  return app === 'simulator'
    ? `http://127.0.0.1:${ports['simulator']}/live`
    : `http://127.0.0.1:${ports[`${app}:management`]}/health`;
}
