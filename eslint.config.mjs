// Configures the lint rules that need no types, and the import boundaries, which tools/boundaries tests. The other
// rules are in .oxlintrc.json.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import nx from '@nx/eslint-plugin';
import * as jsonc from 'jsonc-eslint-parser';
import tseslint from 'typescript-eslint';

const TEST_FILES = ['**/*.spec.ts', '**/*.proof-spec.ts', '**/*.{e2e,proof-e2e}.ts', '**/test/**/*.ts'];

/** Allowed imports by tag; an unlisted tag may import no project of this repository. */
const depConstraints = [
  { sourceTag: 'scope:template-rules', onlyDependOnLibsWithTags: ['scope:template-rules'] },
  { sourceTag: 'scope:contracts', onlyDependOnLibsWithTags: ['scope:contracts', 'scope:template-rules'] },
  { sourceTag: 'scope:pricing', onlyDependOnLibsWithTags: ['scope:pricing', 'scope:contracts'] },
  { sourceTag: 'scope:platform', onlyDependOnLibsWithTags: ['scope:platform', 'scope:contracts', 'scope:testing'] },
  {
    sourceTag: 'scope:database',
    onlyDependOnLibsWithTags: ['scope:database', 'scope:contracts', 'scope:platform', 'scope:testing'],
  },
  {
    sourceTag: 'scope:broker',
    onlyDependOnLibsWithTags: ['scope:broker', 'scope:contracts', 'scope:platform', 'scope:database', 'scope:testing'],
  },
  {
    sourceTag: 'scope:upstream',
    onlyDependOnLibsWithTags: ['scope:upstream', 'scope:contracts', 'scope:platform', 'scope:testing'],
  },
  {
    sourceTag: 'scope:blobs',
    onlyDependOnLibsWithTags: ['scope:blobs', 'scope:contracts', 'scope:platform', 'scope:testing'],
  },
  {
    sourceTag: 'scope:service-clients',
    onlyDependOnLibsWithTags: ['scope:service-clients', 'scope:contracts', 'scope:broker'],
  },
  {
    sourceTag: 'scope:template-cache',
    onlyDependOnLibsWithTags: [
      'scope:template-cache',
      'scope:contracts',
      'scope:broker',
      'scope:service-clients',
      'scope:platform',
      'scope:testing',
    ],
  },
  { sourceTag: 'scope:client', onlyDependOnLibsWithTags: ['scope:client', 'scope:testing'] },
  { sourceTag: 'scope:python-client', onlyDependOnLibsWithTags: ['scope:python-client', 'scope:testing'] },
  { sourceTag: 'scope:testing', onlyDependOnLibsWithTags: ['scope:testing', 'scope:contracts'] },
  { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:lib'] },
  { sourceTag: 'scope:dashboard', onlyDependOnLibsWithTags: ['scope:template-rules'] },
  { sourceTag: 'scope:simulator', onlyDependOnLibsWithTags: ['scope:upstream', 'scope:platform', 'scope:testing'] },
  { sourceTag: 'type:e2e', onlyDependOnLibsWithTags: ['scope:testing', 'scope:client'] },
  { sourceTag: 'type:lib', onlyDependOnLibsWithTags: ['type:lib'] },
];

/**
 * Requires that a service lists the run-time dependencies of itself and of its libraries, at the installed versions
 * (ADR 64).
 */
const dependencyChecks = {
  includeTransitiveDependencies: true,
  ignoredFiles: ['{projectRoot}/**/*.{spec,proof-spec}.ts', '{projectRoot}/test/**/*', 'libs/testing/**/*'],
};

/** Complements the project rule, whose message suggests no alternative. */
const OTHER_SERVICES = {
  regex: '^(\\.\\./)+(gateway|messaging|templates|otp|jobs|webhooks|simulator)/(src|test)/',
  message:
    'A service calls another one through its client in libs/service-clients: use a method, or add one (CONTRIBUTING.md).',
};
/** Restricts the contracts of commands to the clients. */
const PAST_THE_CLIENTS = {
  selector:
    "CallExpression[callee.property.name='request']:matches([arguments.0.name=/V\\d+$/], [callee.object.name='broker'], [callee.object.property.name='broker'])",
  message:
    'Inject a client of libs/service-clients: GatewayClient, MessagingClient, TemplatesClient, OtpClient, JobsClient or WebhooksClient.',
};
const AMQPLIB = { name: 'amqplib', message: 'Only libs/broker talks AMQP.' };

/**
 * Layers of the gateway, top to bottom. A file may import from its own folder, from lower layers and from config.ts
 * (ADR 42).
 */
const GATEWAY_LAYERS = [
  ['auth', 'cleanup', 'cli', 'dashboard', 'reference'],
  ['conversations', 'exports', 'jobs', 'live', 'results', 'search', 'team'],
  [
    'account-notices',
    'blocks',
    'callbacks',
    'contacts',
    'me',
    'media',
    'messages',
    'numbers',
    'otp',
    'rates',
    'sessions',
    'settings',
    'statistics',
    'templates',
    'usage',
    'webhooks',
  ],
  ['api-keys', 'users'],
  ['accounts'],
  ['audit-log'],
  ['pagination'],
  ['decorators', 'idempotency', 'openapi', 'rate-limits'],
  ['http'],
  ['commands', 'request-context'],
];

const gatewayLayers = GATEWAY_LAYERS.flatMap((folders, layer) =>
  folders.map((folder) => {
    const others = GATEWAY_LAYERS.slice(0, layer + 1)
      .flat()
      .filter((other) => other !== folder);
    const patterns = [
      OTHER_SERVICES,
      { regex: `^(\\.\\./)+(${others.join('|')})/`, message: `${folder}/ imports from lower layers only (ADR 42).` },
      {
        // The operator program opens a database itself
        regex: `^(\\.\\./)+(?!${folder === 'cli' ? '(config|entities)' : 'config'}$)[^/]+$`,
        message: 'Only the programs themselves import what puts them together.',
      },
    ];
    return {
      files: [`apps/gateway/src/${folder}/**/*.ts`],
      rules: { 'no-restricted-imports': ['error', { paths: [AMQPLIB], patterns }] },
    };
  }),
);

/** Layers of the dashboard, top to bottom. A file may import from its own folder and from lower layers. */
const DASHBOARD_LAYERS = ['shell', 'features', 'hooks', 'components', 'api', 'lib'];
const FEATURES = readdirSync(join(import.meta.dirname, 'apps/dashboard/src/features'));

const dashboardFolders = DASHBOARD_LAYERS.flatMap((layer) =>
  layer === 'features' ? FEATURES.map((feature) => ({ layer, feature })) : [{ layer, feature: undefined }],
);
const dashboardLayers = dashboardFolders.map(({ layer, feature }) => {
  // routes.tsx imports every page, so importing it from a page would be a cycle.
  const above = [
    '(main|routes)$',
    ...DASHBOARD_LAYERS.slice(0, DASHBOARD_LAYERS.indexOf(layer)).map((one) => `${one}/`),
  ];
  const patterns = [
    OTHER_SERVICES,
    { regex: `^(\\.\\./)+(${above.join('|')})`, message: `${layer}/ imports from lower layers only.` },
  ];
  if (feature !== undefined) {
    const others = FEATURES.filter((other) => other !== feature);
    patterns.push({
      regex: `^(\\.\\./)+(${others.join('|')})/(?!shared/)`,
      message: 'A feature imports only the shared/ folder of another one (apps/dashboard/README.md).',
    });
  }
  return {
    files: [`apps/dashboard/src/${feature === undefined ? layer : `features/${feature}`}/**/*.{ts,tsx}`],
    rules: { 'no-restricted-imports': ['error', { paths: [AMQPLIB], patterns }] },
  };
});

export default tseslint.config(
  {
    ignores: [
      '**/node_modules',
      'dist',
      '.local',
      '.nx',
      'coverage',
      '**/*.cjs',
      'libs/client/src/api.ts',
      'apps/dashboard/src/api/schema.ts',
    ],
  },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': ['error', { depConstraints, enforceBuildableLibDependency: false }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/ban-ts-comment': 'error',
      'no-empty': ['error', { allowEmptyCatch: false }],
      'no-restricted-imports': ['error', { paths: [AMQPLIB], patterns: [OTHER_SERVICES] }],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: "Settings are read in an app's config.ts only." },
        {
          object: 'URL',
          property: 'canParse',
          message: 'Use readUrl: Node 20 answers false for addresses with umlauts.',
        },
      ],
      'max-lines': ['error', { max: 350, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 5],
      'max-len': [
        'error',
        { code: 120, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true },
      ],
    },
  },
  {
    files: ['apps/dashboard/src/**/*.{ts,tsx}'],
    ignores: ['apps/dashboard/src/lib/formats{,.spec}.ts', 'apps/dashboard/src/api/schema.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'MemberExpression[property.name=/^toLocale(Date|Time)?String$/]',
          message: 'Use lib/formats.ts: every number and time has one locale.',
        },
        {
          selector: "MemberExpression[object.name='Intl'][property.name=/^(Number|DateTime|RelativeTime)Format$/]",
          message: 'Use lib/formats.ts: every number and time has one locale.',
        },
      ],
    },
  },
  {
    files: ['apps/{gateway,messaging,templates,otp,jobs,webhooks}/src/**/*.ts', 'libs/template-cache/src/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', PAST_THE_CLIENTS] },
  },
  {
    files: ['apps/*/package.json'],
    languageOptions: { parser: jsonc },
    plugins: { '@nx': nx },
    rules: { '@nx/dependency-checks': ['error', dependencyChecks] },
  },
  {
    // The documentation pages use the dashboard's style sheet of colours without its packages, and resolve their font at
    // run time.
    files: ['apps/gateway/package.json'],
    rules: {
      '@nx/dependency-checks': [
        'error',
        {
          ...dependencyChecks,
          ignoredFiles: [...dependencyChecks.ignoredFiles, 'apps/dashboard/**/*'],
          ignoredDependencies: ['@fontsource-variable/inter'],
        },
      ],
    },
  },
  {
    // The simulator's bundle does not include the exporter of libs/platform.
    files: ['apps/simulator/package.json'],
    rules: {
      '@nx/dependency-checks': [
        'error',
        { ...dependencyChecks, ignoredDependencies: ['@opentelemetry/exporter-trace-otlp-http'] },
      ],
    },
  },
  {
    // Projects that combine the services or test them; `nx graph` shows their imports.
    files: ['{bench,docker,k8s,observability}/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': 'off' },
  },
  {
    // The programs that start an installation are plain modules in tools, without a path alias.
    files: ['apps/e2e/**/*.ts'],
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        { depConstraints, enforceBuildableLibDependency: false, allow: ['^(\\.\\./)+tools/'] },
      ],
    },
  },
  ...gatewayLayers,
  ...dashboardLayers,
  {
    // The last of these fills and reads a queue while no service is running.
    files: ['libs/broker/**/*.ts', 'libs/testing/src/broker.ts', 'docker/backup.proof-spec.ts'],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    files: TEST_FILES,
    rules: { 'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }] },
  },
  {
    // An initial migration contains the SQL of a whole schema, and a client the methods of a whole service.
    files: ['apps/*/src/migrations/*.ts', 'libs/service-clients/src/*.client.ts'],
    rules: { 'max-lines': 'off' },
  },
  {
    files: [
      'apps/*/src/config.ts',
      'libs/testing/src/environment.ts',
      'apps/e2e/**/*.ts',
      'apps/dashboard/src/features/api-guide/receivers/*.ts',
      ...TEST_FILES,
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
);
