import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import { gauge, type Logger, type Loop, startLoop } from '@switchboard/platform';
import type { GatewayConfig } from '../config';

export interface TlsFiles {
  cert: Buffer;
  key: Buffer;
}

/**
 * Creates the metric with the first certificate. A gateway without TLS should export no metric, rather than an expiry
 * in 1970.
 */
const expiry = () =>
  gauge('tls_certificate_expiry_timestamp_seconds', 'When the certificate that is served expires, in Unix seconds');

/**
 * Reads the configured certificate; undefined if the gateway serves plain HTTP.
 * @throws Error if the files are unreadable or do not match
 */
export async function readTlsFiles({ TLS_CERT_FILE, TLS_KEY_FILE }: GatewayConfig): Promise<TlsFiles | undefined> {
  if (TLS_CERT_FILE === undefined || TLS_KEY_FILE === undefined) return undefined;
  const [cert, key] = await Promise.all([readFile(TLS_CERT_FILE), readFile(TLS_KEY_FILE)]);
  createSecureContext({ cert, key });
  expiry().set(new Date(new X509Certificate(cert).validTo).getTime() / 1000);
  return { cert, key };
}

/**
 * Reloads a renewed certificate for new connections; open connections keep theirs. Compares the file contents at
 * intervals, which also detects renames and swapped symbolic links, as used by Kubernetes. Ignores files that do not
 * match, as between two writes.
 */
export function followTlsFiles(
  server: Server,
  loaded: TlsFiles,
  { config, logger }: { config: GatewayConfig; logger: Logger },
): Loop {
  let served = loaded;
  const turn = async (): Promise<void> => {
    const found = await readTlsFiles(config);
    if (!found || (found.cert.equals(served.cert) && found.key.equals(served.key))) return;
    server.setSecureContext(found);
    served = found;
    const { validTo, serialNumber } = new X509Certificate(found.cert);
    logger.info({ validTo, serialNumber }, 'tls.renewed');
  };
  return startLoop({ name: 'tls.renewal', everyMs: config.TLS_RELOAD_SECONDS * 1000, logger, turn });
}
