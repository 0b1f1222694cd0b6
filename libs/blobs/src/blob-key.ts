/**
 * A segment never starts with a dot. This excludes `.` and `..`, and reserves dot names for files that are not blobs.
 */
const SEGMENT = '[A-Za-z0-9_-][A-Za-z0-9_.-]{0,127}';
const KEY = new RegExp(`^${SEGMENT}(/${SEGMENT}){0,7}$`);
const PREFIX = new RegExp(`^(${SEGMENT}/){1,7}$`);

/** @throws TypeError for an invalid key */
export function assertKey(key: string): void {
  if (!KEY.test(key)) throw new TypeError('not a blob key');
}

/** @throws TypeError unless the text is a key prefix that ends with a slash */
export function assertPrefix(prefix: string): void {
  if (!PREFIX.test(prefix)) throw new TypeError('not a prefix of blob keys');
}
