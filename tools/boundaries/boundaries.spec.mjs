// Violates every import rule of eslint.config.mjs once, because an untested boundary is not enforced.
import { execFileSync } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');
const NX = '@nx/enforce-module-boundaries';
/** Both rules. The message of the second one suggests an alternative. */
const BOTH = [NX, 'no-restricted-imports'];

const imports = (target) => `import * as probe from '${target}';\nexport default probe;\n`;

const forbidden = [
  ['contracts', 'a lib above it', 'libs/contracts/src/probe.ts', imports('@switchboard/platform'), NX],
  ['contracts', 'tests included', 'libs/contracts/src/probe.ts', imports('@switchboard/broker'), NX],
  ['platform', 'the broker', 'libs/platform/src/probe.ts', imports('@switchboard/broker'), NX],
  ['platform', 'the database', 'libs/platform/src/probe.ts', imports('@switchboard/database'), NX],
  ['database', 'the broker', 'libs/database/src/probe.ts', imports('@switchboard/broker'), NX],
  ['database', 'the upstream client', 'libs/database/src/probe.ts', imports('@switchboard/upstream'), NX],
  ['broker', 'the upstream client', 'libs/broker/src/probe.ts', imports('@switchboard/upstream'), NX],
  ['upstream', 'the broker', 'libs/upstream/src/probe.ts', imports('@switchboard/broker'), NX],
  ['blobs', 'the database', 'libs/blobs/src/probe.ts', imports('@switchboard/database'), NX],
  ['blobs', 'the broker', 'libs/blobs/src/probe.ts', imports('@switchboard/broker'), NX],
  ['the service clients', 'the database', 'libs/service-clients/src/probe.ts', imports('@switchboard/database'), NX],
  ['copies of templates', 'the database', 'libs/template-cache/src/probe.ts', imports('@switchboard/database'), NX],
  ['pricing', 'the database', 'libs/pricing/src/probe.ts', imports('@switchboard/database'), NX],
  ['the client', 'any lib of the services', 'libs/client/src/probe.ts', imports('@switchboard/contracts'), NX],
  [
    'the Python client',
    'any lib of the services',
    'libs/python-client/src/probe.ts',
    imports('@switchboard/contracts'),
    NX,
  ],
  ['testing', 'the database', 'libs/testing/src/probe.ts', imports('@switchboard/database'), NX],
  ['a lib', 'an app', 'libs/upstream/src/probe.ts', imports('../../../apps/messaging/src/config'), NX],
  ['a service', 'another service', 'apps/gateway/src/probe.ts', imports('../../messaging/src/config'), BOTH],
  ['a service', 'a lib by its path', 'apps/gateway/src/probe.ts', imports('../../../libs/contracts/src/errors'), NX],
  ['the simulator', 'the broker', 'apps/simulator/src/probe.ts', imports('@switchboard/broker'), NX],
  ['the simulator', 'the database', 'apps/simulator/src/probe.ts', imports('@switchboard/database'), NX],
  ['the end-to-end tests', 'a service', 'apps/e2e/src/probe.ts', imports('../../gateway/src/config'), BOTH],
  ['the end-to-end tests', 'the contracts', 'apps/e2e/src/probe.ts', imports('@switchboard/contracts'), NX],
  ['a service', 'the tools', 'apps/gateway/src/probe.ts', imports('../../../tools/lib/ports.mjs'), NX],
  ['a service', 'amqplib', 'apps/gateway/src/probe.ts', imports('amqplib'), 'no-restricted-imports'],
  [
    'a service',
    'the environment outside its config',
    'apps/otp/src/probe.ts',
    'export default process.env.HOME;\n',
    'no-restricted-properties',
  ],
  [
    'a service',
    'the broker to call a command without its client',
    'apps/otp/src/probe.ts',
    'export default (broker: { request(): void }): void => broker.request();\n',
    'no-restricted-syntax',
  ],
  ...[
    ['auth', '../cleanup/cleanup.service'],
    ['cli', '../reference/api-routes'],
    ['jobs', '../auth/access.service'],
    ['callbacks', '../cleanup/cleanup.service'],
    ['team', '../jobs/jobs.controller'],
    ['contacts', '../conversations/conversation-item'],
    ['contacts', '../messages/message-record'],
    ['api-keys', '../auth/key-cache'],
    ['users', '../sessions/sessions.service'],
    ['accounts', '../users/passwords'],
    ['audit-log', '../accounts/accounts.service'],
    ['pagination', '../audit-log/audit-log'],
    ['idempotency', '../pagination/pagination'],
    ['decorators', '../rate-limits/gcra'],
    ['openapi', '../pagination/pagination'],
    ['rate-limits', '../auth/key-cache'],
    ['http', '../openapi/decorators'],
    ['request-context', '../http/route-config'],
    ['commands', '../accounts/accounts.service'],
    ['http', '../server'],
    ['jobs', '../app.module'],
    ['accounts', '../entities'],
  ].map(([folder, target]) => [
    `the gateway's ${folder}`,
    target,
    `apps/gateway/src/${folder}/probe.ts`,
    imports(target),
    'no-restricted-imports',
  ]),
  ...[
    ['features/jobs', '../../routes'],
    ['features/templates/editor', '../../../routes'],
    ['features/jobs', '../../shell/navigation'],
    ['features/messages', '../conversations/thread'],
    ['features/messages/shared', '../../templates/template-status'],
    ['hooks', '../features/jobs/job-pace'],
    ['components', '../hooks/queries'],
    ['api', '../components/toasts'],
    ['lib', '../api/client'],
  ].map(([folder, target]) => [
    `the dashboard's ${folder}`,
    target,
    `apps/dashboard/src/${folder}/probe.ts`,
    imports(target),
    'no-restricted-imports',
  ]),
].map(([who, what, file, code, rule]) => ({ who, what, file, code, rule }));

const allowed = [
  ['a service', 'all libs it needs', 'apps/messaging/src/probe.ts', imports('@switchboard/upstream')],
  ['the broker', 'the database', 'libs/broker/src/probe.ts', imports('@switchboard/database')],
  ['a service', 'the blob store', 'apps/messaging/src/probe.ts', imports('@switchboard/blobs')],
  ['the broker', 'amqplib', 'libs/broker/src/probe.ts', imports('amqplib')],
  ['the simulator', "the upstream's types", 'apps/simulator/src/probe.ts', imports('@switchboard/upstream')],
  ['the end-to-end tests', 'the test tools', 'apps/e2e/src/probe.ts', imports('@switchboard/testing')],
  ['the end-to-end tests', 'the client', 'apps/e2e/src/probe.ts', imports('@switchboard/client')],
  ['the end-to-end tests', 'the tools', 'apps/e2e/src/probe.ts', imports('../../../tools/lib/ports.mjs')],
  ['a config', 'the environment', 'apps/otp/src/config.ts', 'export default process.env.HOME;\n'],
  ["the gateway's jobs", 'a lower layer', 'apps/gateway/src/jobs/probe.ts', imports('../messages/one-caption')],
  ["the gateway's http", 'the config', 'apps/gateway/src/http/probe.ts', imports('../config')],
  ...[
    ['shell', '../features/auth/sign-in'],
    ['features/jobs', '../templates/shared/template-form'],
    ['features/templates/editor', '../template-status'],
    ['features/templates/editor', '../../messages/shared/message-parts'],
    ['components', '../api/client'],
  ].map(([folder, target]) => [
    `the dashboard's ${folder}`,
    target,
    `apps/dashboard/src/${folder}/probe.ts`,
    imports(target),
  ]),
  ["the gateway's cli", 'the entities', 'apps/gateway/src/cli/probe.ts', imports('../entities')],
].map(([who, what, file, code]) => ({ who, what, file, code }));

describe('import boundaries', () => {
  /** @type {string[][]} */
  let refusals;

  beforeAll(() => {
    const env = { ...process.env, NX_DAEMON: 'false' };
    // The rule reads Nx's project graph from its cache and skips its checks without one.
    execFileSync(process.execPath, [resolve(root, 'node_modules/nx/dist/bin/nx.js'), 'show', 'projects'], {
      cwd: root,
      env,
    });
    const items = JSON.stringify([...forbidden, ...allowed]);
    refusals = JSON.parse(
      execFileSync(process.execPath, [resolve(here, 'lint-imports.mjs')], {
        cwd: root,
        env,
        input: items,
        encoding: 'utf8',
      }),
    );
  }, 120_000);

  it.each(forbidden.map((probe, index) => ({ ...probe, index })))(
    'rejects $what in $who ($file)',
    ({ index, rule }) => {
      expect(refusals[index]).toEqual([rule].flat());
    },
  );

  it.each(allowed.map((probe, index) => ({ ...probe, index })))('allows $what in $who', ({ index }) => {
    expect(refusals[forbidden.length + index]).toEqual([]);
  });
});
