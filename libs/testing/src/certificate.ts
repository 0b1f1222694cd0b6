import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface TestCertificate {
  /** Private key in PEM. */
  key: string;
  cert: string;
  keyFile: string;
  certFile: string;
  /** PEM file of the signing authority, for NODE_EXTRA_CA_CERTS. */
  caFile: string;
  remove(): Promise<void>;
}

/**
 * Creates a server certificate signed by a new authority, using the openssl command line. It covers 127.0.0.1 and
 * localhost unless other names are given.
 */
export async function createTestCertificate(names = 'IP:127.0.0.1,DNS:localhost'): Promise<TestCertificate> {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-ca-'));
  const openssl = (...args: string[]) => promisify(execFile)('openssl', args, { cwd: folder });
  const keyOf = (name: string): string[] => [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    `${name}.key`,
  ];
  await openssl(
    'req',
    '-x509',
    ...keyOf('ca'),
    '-out',
    'ca.pem',
    '-days',
    '2',
    '-subj',
    '/CN=Switchboard test authority',
  );
  await openssl('req', ...keyOf('server'), '-out', 'server.csr', '-subj', '/CN=localhost');
  await writeFile(join(folder, 'names'), `subjectAltName=${names}\n`);
  await openssl(
    'x509',
    '-req',
    '-in',
    'server.csr',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    '-days',
    '2',
    '-extfile',
    'names',
    '-out',
    'server.pem',
  );
  return {
    key: await readFile(join(folder, 'server.key'), 'utf8'),
    cert: await readFile(join(folder, 'server.pem'), 'utf8'),
    keyFile: join(folder, 'server.key'),
    certFile: join(folder, 'server.pem'),
    caFile: join(folder, 'ca.pem'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
