import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ROOT, demo, installationEnvironment, upstreamToken } from './support/installation';
import { freshPhone, receivedUpstream } from './support/simulator';

const GUIDE = resolve(ROOT, 'docs/guides/connect-a-number.md');

/** Returns the guide's commands in order, with the reader's values replaced by the test's. */
function commandsOf(markdown: string, values: Record<string, string>): string {
  const blocks = [...markdown.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  return blocks
    .join('')
    .replace(/^export (\w+)=.*$/gm, (line, name: string) =>
      name in values ? `export ${name}='${values[name]}'` : line,
    );
}

function runInShell(script: string): Promise<{ exitCode: number; output: string }> {
  return new Promise((done) => {
    const options = { cwd: ROOT, env: { ...process.env, ...installationEnvironment } };
    execFile('bash', ['-euo', 'pipefail', '-c', script], options, (error, stdout, stderr) =>
      done({ exitCode: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    );
  });
}

it("runs the guide's commands as pasted, up to the first message", async () => {
  const [phoneNumber, wabaId, to] = [
    `1555${randomInt(1_000_000, 9_999_999)}`,
    String(randomInt(1e11, 2e11)),
    freshPhone(),
  ];
  const values = {
    WABA_ID: wabaId,
    PHONE_NUMBER: phoneNumber,
    UPSTREAM_ACCESS_TOKEN: upstreamToken,
    UPSTREAM_NUMBER_PIN: '482913',
    SIMULATOR_URL: demo.simulatorUrl,
    BASE_URL: demo.baseUrl,
    TO: to,
    USER_NAME: `acme.${phoneNumber}`,
  };
  const commands = commandsOf(readFileSync(GUIDE, 'utf8'), values);
  const check = commands.lastIndexOf('npm run --silent ops -- numbers check');
  // Sending the message takes a reader longer than the first callback takes to arrive.
  const untilHeard = `until ${commands.slice(check).trim()} > /dev/null; do sleep 1; done\n`;
  const { exitCode, output } = await runInShell(commands.slice(0, check) + untilHeard + commands.slice(check));

  expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.any(String) as string });
  for (const step of ['subscribe', 'register', 'add', 'profile'])
    expect(output).toMatch(new RegExp(`^- step: ${step}\n +outcome: done`, 'm'));
  expect(output).toMatch(/"success":true,"message_id":"wamid\./);
  expect(output).toMatch(/^- check: callbacks\n +state: ok\n +found: The last callback arrived at/m);
  expect(output).toMatch(/^username: -$[^]*^username: acme/m);
  expect(await receivedUpstream(to)).toMatchObject([{ body: { template: { name: 'hello_world' } } }]);
}, 300_000);
