/** Whether an `If-None-Match` header names the tag; weak comparison, as it must be (RFC 9110, section 13.1.2). */
export function namesTag(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
