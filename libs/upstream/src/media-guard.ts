import { isPublicAddress, mayBePublicHost, readUrl } from '@switchboard/contracts';
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { buildConnector } from 'undici';

/** The media URL cannot belong to the upstream platform. */
export class BlockedMediaUrlError extends Error {
  constructor(reason: string) {
    super(`media address refused: ${reason}`);
    this.name = 'BlockedMediaUrlError';
  }
}

/**
 * First check: the URL itself. The platform provides it, so any public https host is allowed. The API's own origin is
 * always allowed, because the simulator serves plain HTTP on a private address.
 * @throws BlockedMediaUrlError
 */
export function checkMediaUrl(text: string, apiOrigin: string): URL {
  const url = readUrl(text);
  if (!url) throw new BlockedMediaUrlError('it is no URL');
  if (url.origin === apiOrigin) return url;
  if (url.protocol !== 'https:') throw new BlockedMediaUrlError('it is not https');
  if (url.username || url.password) throw new BlockedMediaUrlError('it holds credentials');
  if (!mayBePublicHost(url.hostname)) throw new BlockedMediaUrlError('its host is not public');
  return url;
}

/**
 * Second and third check: every address that the name resolves to, and the remote address of the socket. The lookup
 * alone is not enough, because Node skips it for literal addresses.
 */
export function publicConnector(timeoutMs: number, lookup: LookupFunction = systemLookup): buildConnector.connector {
  // The type of undici's options omits those that undici passes on to the socket.
  const options = { timeout: timeoutMs, lookup: publicLookup(lookup) } as buildConnector.BuildOptions;
  const connect = buildConnector(options);
  return (target, callback) => {
    const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(host) && !isPublicAddress(host))
      return callback(new BlockedMediaUrlError('its address is not public'), null);
    return connect(target, (...[error, socket]) => {
      if (error) return callback(error, null);
      if (isPublicAddress((socket as Socket).remoteAddress ?? '')) return callback(null, socket);
      socket.destroy();
      return callback(new BlockedMediaUrlError('its address is not public'), null);
    });
  };
}

function publicLookup(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = Array.isArray(found) ? found : ([] as LookupAddress[]);
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new BlockedMediaUrlError('its address is not public'), []);
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}
