/**
 * Checks whether an `If-None-Match` header contains the tag, with the weak comparison that RFC 9110, section 13.1.2,
 * requires.
 */
export function namesTag(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
