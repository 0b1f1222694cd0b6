import type { LookupAddress, LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from '@switchboard/contracts';
import { CallError } from './call-error';

type LookupCallback = Parameters<LookupFunction>[2];

/** Rejects a name if any of its addresses is not public, so that no connection to them is attempted. */
export function guardedLookup(lookup: LookupFunction, allowPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses = listOf(found);
      if (error || addresses.length === 0)
        return fail(callback, new CallError('dns', 'the host name could not be resolved', { cause: error }));
      if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address)))
        return fail(callback, notPublic());
      return answer(options, addresses, callback);
    });
  };
}

/** @returns the first address of a name @throws CallError of class dns or blocked */
export function resolveOne(hostname: string, lookup: LookupFunction): Promise<string> {
  return new Promise((resolve, reject) => {
    lookup(hostname, { all: false }, (error, address) => (error ? reject(error) : resolve(String(address))));
  });
}

export function notPublic(): CallError {
  return new CallError('blocked', 'its address is not a public one');
}

function listOf(found: string | LookupAddress[] | undefined): LookupAddress[] {
  return Array.isArray(found) ? found : [];
}

function fail(callback: LookupCallback, error: CallError): void {
  callback(error, []);
}

function answer(options: LookupOptions, addresses: LookupAddress[], callback: LookupCallback): void {
  const [first] = addresses;
  if (options.all || !first) return callback(null, addresses);
  return callback(null, first.address, first.family);
}
