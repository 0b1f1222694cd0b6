import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@switchboard/testing';
import { newAccount, type TestAccount } from './support/account';
import { demo, done, installationEnvironment, ROOT } from './support/installation';
import { writeIn } from './support/simulator';

const GUIDES = resolve(ROOT, 'docs/guides');
/** Guides that have their own tests. */
const ELSEWHERE = ['connect-a-number', 'webhooks'];
const NAMES = readdirSync(GUIDES)
  .filter((name) => name.endsWith('.md'))
  .map((name) => name.replace('.md', ''))
  .filter((name) => !ELSEWHERE.includes(name));
/** Guide that defines the variables used in the others. */
const FIRST = 'first-message';

const inShell = promisify(execFile);

/** Block to paste, with its output according to the guide. */
interface Snippet {
  commands: string;
  prints: unknown;
}

function snippetsOf(markdown: string): Snippet[] {
  const blocks = markdown.matchAll(/^```sh\n([^]*?)^```\n(?:\n```json\n([^]*?)^```\n)?/gm);
  return [...blocks].map(([, commands = '', prints]) => ({
    commands,
    prints: prints === undefined ? undefined : (JSON.parse(prints) as unknown),
  }));
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Converts expected output to a matcher. `…` matches anything within a text, and any value on its own. */
function like(expected: unknown): unknown {
  if (expected === '…') return expect.anything();
  if (typeof expected === 'string' && expected.includes('…'))
    return expect.stringMatching(new RegExp(`^${expected.split('…').map(escaped).join('.*')}$`, 's'));
  if (Array.isArray(expected)) return expected.map(like);
  if (typeof expected !== 'object' || expected === null) return expected;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, like(value)])),
  );
}

describe('guide', () => {
  let account: TestAccount;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'switchboard-guides-'));
    // The folder replaces the repository's root, in which the guides' files would remain.
    const scripts = { ops: `node '${join(ROOT, 'tools/ops.mjs')}'` };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, scripts }));
    account = await newAccount('Guides');
    await eventually(async () => expect((await account.api.listTemplates()).templates.length).toBeGreaterThan(2));
    await done('otp', 'set', '--account', account.accountId, '--template', 'verification_code');
    await done('credits', 'top-up', '--account', account.accountId, '--amount', '10', '--reason', 'test');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Opens the service window, which is stored together with the message record. */
  async function openWindow(): Promise<void> {
    const id = await writeIn('919812345678', 'Hello', { to: account.phoneNumber });
    await eventually(() => account.api.getMessage({ id }));
  }

  /** Runs a block in a shell with the exports of earlier blocks. @returns its output */
  async function run(commands: string): Promise<string> {
    const given = {
      BASE_URL: demo.baseUrl,
      SIMULATOR_URL: demo.simulatorUrl,
      API_KEY: account.apiKey,
      ACCOUNT: account.accountId,
    };
    const filled = commands.replace(/^export (\w+)=.*$/gm, (line, name: string) =>
      name in given ? `export ${name}='${given[name as keyof typeof given]}'` : line,
    );
    const script = `test ! -f .exported || . ./.exported\n${filled}\nexport -p > .exported\n`;
    const env = { ...process.env, ...installationEnvironment };
    const { stdout } = await inShell('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env });
    return stdout;
  }

  async function check({ commands, prints }: Snippet): Promise<void> {
    const look = async () => {
      const printed = await run(commands);
      if (prints !== undefined)
        expect({ commands, printed: JSON.parse(printed) }).toEqual({ commands, printed: like(prints) });
    };
    // Repeat reads until a message has progressed, as a reader would. Run changes once.
    const isRead = !/ -[dFX] /.test(commands);
    await (isRead ? eventually(look) : look());
  }

  it('runs the commands of README.md as pasted', async () => {
    await openWindow();
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const snippets = snippetsOf(/^## First message\n[^]*?^## /m.exec(readme)?.[0] ?? '');
    expect(snippets).toHaveLength(3);
    for (const snippet of snippets) await check(snippet);
  });

  it.each([FIRST, ...NAMES.filter((name) => name !== FIRST)])(
    'runs the commands of %s as pasted',
    async (name) => {
      const snippets = snippetsOf(readFileSync(join(GUIDES, `${name}.md`), 'utf8'));
      // Every guide except going-live contains commands to paste.
      expect(snippets.length > 0 || name === 'going-live').toBe(true);
      if (name !== FIRST) await openWindow();
      for (const snippet of snippets) await check(snippet);
    },
    180_000,
  ); // Some guides start several programs.
});
