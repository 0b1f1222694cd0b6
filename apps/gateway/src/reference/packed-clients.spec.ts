import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guidesForModels } from './guides';
import { readPackedClients } from './packed-clients';

describe('packed clients', () => {
  const folder = mkdtempSync(join(tmpdir(), 'packed-clients-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('lists the packages of a folder with install commands', () => {
    expect(readPackedClients([join(folder, 'none'), folder])).toEqual([]);
    for (const name of ['client.tgz', 'switchboard-1.2.0-py3-none-any.whl', 'package.json'])
      writeFileSync(join(folder, name), name);
    const clients = readPackedClients([folder]);
    expect(clients.map(({ name, file }) => [name, file.type, file.body.toString()])).toEqual([
      ['client.tgz', 'application/gzip', 'client.tgz'],
      ['switchboard-1.2.0-py3-none-any.whl', 'application/zip', 'switchboard-1.2.0-py3-none-any.whl'],
    ]);
    expect(guidesForModels('https://a.example', clients).split('\n').slice(-4)).toEqual([
      '',
      '- [TypeScript](https://a.example/docs/client.tgz): `npm install https://a.example/docs/client.tgz`',
      '- [Python](https://a.example/docs/switchboard-1.2.0-py3-none-any.whl): `pip install https://a.example/docs/switchboard-1.2.0-py3-none-any.whl`',
      '',
    ]);
  });
});
