// @ts-check
// Builds the Python wheel. A pure Python wheel is a zip archive with a list of its files,
// so the build does not need Python. All files have the same timestamp, so builds of the same sources are
// byte-identical.
// Usage: node build.mjs [directory], by default dist/libs/python-client. The directory is deleted first.
import { createHash } from 'node:crypto';
import { createWriteStream, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import yazl from 'yazl';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');
const folder = resolve(process.argv[2] ?? join(root, 'dist/libs/python-client'));
const code = join(here, 'src/switchboard');

const [, version] = /^__version__ = "(.+)"$/m.exec(readFileSync(join(code, '_version.py'), 'utf8')) ?? [];
if (!version) throw new Error('_version.py names no version');
const name = `switchboard_client-${version}`;
const info = `${name}.dist-info`;

const METADATA = `Metadata-Version: 2.1
Name: switchboard-client
Version: ${version}
Summary: Client for the Switchboard business messaging API: send, read back, verify webhooks
License: Apache-2.0
Requires-Python: >=3.9
Description-Content-Type: text/markdown

`;
const WHEEL = `Wheel-Version: 1.0
Generator: switchboard
Root-Is-Purelib: true
Tag: py3-none-any
`;

/** @type {Record<string, Buffer>} */
const files = Object.fromEntries([
  ...readdirSync(code)
    .filter((file) => /\.py$|^py\.typed$/.test(file))
    .sort()
    .map((file) => [`switchboard/${file}`, readFileSync(join(code, file))]),
  [`${info}/LICENSE`, readFileSync(join(root, 'LICENSE'))],
  [`${info}/METADATA`, Buffer.concat([Buffer.from(METADATA), readFileSync(join(here, 'README.md'))])],
  [`${info}/WHEEL`, Buffer.from(WHEEL)],
]);
const record = Object.entries(files).map(
  ([path, content]) => `${path},sha256=${digestOf(content)},${content.length}\n`,
);
files[`${info}/RECORD`] = Buffer.from([...record, `${info}/RECORD,,\n`].join(''));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const archive = new yazl.ZipFile();
for (const [path, content] of Object.entries(files))
  archive.addBuffer(content, path, { mtime: new Date(1985, 9, 26), mode: 0o100644, forceDosTimestamp: true });
archive.end();
await pipeline(archive.outputStream, createWriteStream(join(folder, `${name}-py3-none-any.whl`)));

function digestOf(/** @type {Buffer} */ content) {
  return createHash('sha256').update(content).digest('base64url');
}
