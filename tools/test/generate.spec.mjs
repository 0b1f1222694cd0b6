// @ts-check
import { z } from 'zod';
import { renderConfiguration, renderEnvironmentExample } from '../generate/configuration.mjs';
import { loadSources } from '../generate/load.mjs';
import { renderMessages } from '../generate/messages.mjs';
import { collectSettings } from '../generate/settings.mjs';

const level = z.enum(['info', 'debug']).default('info').describe('Level of the log');
const token = z.string().describe('Token | of the upstream platform');
const port = z.coerce.number().int().min(1).max(9).default(3).describe('Port of the API');
const owner = 'any';

const settings = collectSettings({
  isSecret: (schema) => schema === token,
  definitions: [
    { app: 'alpha', exported: 'settings', definition: { owner, fields: { LEVEL: level, TOKEN: token } } },
    {
      app: 'beta',
      exported: 'settings',
      definition: { owner, fields: { LEVEL: level, PORT: port, ENDPOINT: z.url().optional().describe('Where to') } },
    },
    { app: 'beta', exported: 'opsSettings', definition: { owner: 'operator CLI', fields: { LEVEL: level } } },
  ],
});

test('describes a shared setting once and names its programs', () => {
  expect(settings.filter(({ name }) => name === 'LEVEL')).toEqual([
    {
      name: 'LEVEL',
      description: 'Level of the log',
      readers: ['alpha', 'beta', 'operator CLI'],
      required: false,
      secret: false,
      fallback: 'info',
      values: 'info, debug',
    },
  ]);
});

test('renders required settings only in .env.example', () => {
  const [, , , ...lines] = renderEnvironmentExample(settings).split('\n');
  expect(lines).toEqual(['# Token | of the upstream platform (alpha)', 'TOKEN=', '']);
});

test('renders a table per program, with ranges and lists', () => {
  const page = renderConfiguration(settings);
  expect(page).toContain('| `TOKEN` | Token \\| of the upstream platform | **required**, secret |  |');
  expect(page).toContain('| `PORT` | Port of the API | `3` | 1 to 9 |');
  expect(page).toContain('## Alpha');
});

test('documents every contract, without needing an environment', async () => {
  const { contracts, definitions } = await loadSources();
  const page = renderMessages(contracts);
  for (const { name } of contracts.ALL_CONTRACTS) expect(page).toContain(`\n### ${name}\n`);
  expect(page).toContain('`webhooks.deliver-event.v1.wait.1800`');
  expect(definitions.map(({ app }) => app)).toEqual(expect.arrayContaining(['jobs', 'otp', 'templates']));
});
