/** A segment never begins with a dot: neither `.` nor `..`, and such names are free for what is not a blob. */
const SEGMENT = '[A-Za-z0-9_-][A-Za-z0-9_.-]{0,127}';
const KEY = new RegExp(`^${SEGMENT}(/${SEGMENT}){0,7}$`);
const PREFIX = new RegExp(`^(${SEGMENT}/){1,7}$`);

/** @throws TypeError for a text that is no key */
export function assertKey(key: string): void {
  if (!KEY.test(key)) throw new TypeError('not a blob key');
}

/** @throws TypeError for a text that is not the beginning of keys, up to and with a slash */
export function assertPrefix(prefix: string): void {
  if (!PREFIX.test(prefix)) throw new TypeError('not a prefix of blob keys');
}
