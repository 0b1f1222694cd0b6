// @ts-check
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../lib/home.mjs';
import { nodeOf } from '../lib/packages.mjs';
import { run } from '../lib/run.mjs';

const DESCRIPTION = join(ROOT, 'docs/openapi.json');
/** Timeout for both programs on a busy machine. */
const TIMEOUT_MS = 300_000;

/**
 * Returns a program that uses a generator's event types to read a reply of every kind and the resources that a customer
 * changed.
 */
const usageOf = (/** @type {string} */ name, /** @type {string} */ imported) => `
${imported}
export function ${name}(event: ${name}Event): unknown {
  if (event.type === 'interactive') return event.interactive.buttonReply?.id ?? event.interactive.nfmReply?.responseJson;
  if (event.type === 'contacts') return event.contacts[0]?.phones?.[0]?.waId;
  if (event.type === 'reaction') return event.reaction.emoji.length;
  return event.referral?.ctwaClid;
}
export function edited${name}(event: ${name}Edited): unknown {
  if (event.type === 'interactive') return event.interactive.buttonReply?.id ?? event.interactive.nfmReply?.responseJson;
  if (event.type === 'contacts') return event.contacts[0]?.phones?.[0]?.waId;
  if (event.type === 'text') return event.text.body.length;
  return event.messageId;
}
`;
const importOf = (/** @type {string} */ name, /** @type {string} */ from) =>
  `import type { MessageEvent as ${name}Event, MessageEditedEvent as ${name}Edited } from '${from}';`;
const USAGE = [
  usageOf(
    'OpenapiTypescript',
    `import type { components } from './openapi-typescript';
     type OpenapiTypescriptEvent = components['schemas']['MessageEvent'];
     type OpenapiTypescriptEdited = components['schemas']['MessageEditedEvent'];`,
  ),
  usageOf('HeyApi', importOf('HeyApi', './hey-api')),
  usageOf('SwaggerTypescriptApi', importOf('SwaggerTypescriptApi', './swagger-typescript-api/Api')),
  usageOf('Orval', importOf('Orval', './orval/api')),
].join('\n');
/** Uses the types of the project's own client in the same way. */
const OWN_USAGE = usageOf(
  'Own',
  `import type { components } from ${JSON.stringify(join(ROOT, 'libs/client/src/api'))};
   type OwnEvent = components['schemas']['MessageEvent'];
   type OwnEdited = components['schemas']['MessageEditedEvent'];`,
);

const CONFIGURATION = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'bundler',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    types: [],
    paths: { zod: [join(ROOT, 'node_modules/zod')] },
  },
  include: ['.'],
};

describe('the API description', () => {
  /** @type {string} */
  let folder;

  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-clients-')));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it(
    'generates clients that compile with openapi-typescript, hey-api, swagger-typescript-api and orval',
    async () => {
      const script = join(ROOT, 'tools/lib/client-generators.mjs');
      // The newest generators need the packaged Node, regardless of the Node that runs the tests.
      const generated = await run(nodeOf(ROOT, {}) ?? process.execPath, [script, DESCRIPTION, folder]);
      expect(generated).toMatchObject({ code: 0 });
      writeFileSync(join(folder, 'usage.ts'), USAGE);
      writeFileSync(join(folder, 'own-usage.ts'), OWN_USAGE);
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(CONFIGURATION));
      const compiler = join(ROOT, 'node_modules/typescript-7/bin/tsc');
      const compiled = await run(process.execPath, [compiler, '-p', folder]);
      expect(compiled).toEqual({ code: 0, output: '' });
    },
    TIMEOUT_MS,
  );

  it('has no length limits on enum values', () => {
    /** @type {string[]} */
    const faults = [];
    JSON.parse(readFileSync(DESCRIPTION, 'utf8'), (name, value) => {
      const isListed = value?.enum !== undefined || value?.const !== undefined;
      if (isListed && ['minLength', 'maxLength', 'pattern'].some((bound) => bound in value)) faults.push(name);
      return value;
    });
    expect(faults).toEqual([]);
  });
});
