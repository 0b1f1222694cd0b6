import { typeid } from 'typeid-js';

/** The prefixes of our own identifiers (decisions 1). */
export type IdPrefix = 'acc' | 'key' | 'msg' | 'job' | 'ct' | 'evt' | 'med' | 'num' | 'dlv' | 'att' | 'ep' | 'cb' | 'req' | 'aud' | 'prk' | 'rpl' | 'usr' | 'ses' | 'tpl' | 'otp';

/** A new identifier: the prefix and a UUIDv7 in base 32, so that ids sort by time of creation. */
export function newId(prefix: IdPrefix): string {
  return typeid(prefix).toString();
}
