/**
 * Reads the header `Retry-After`: a number of seconds or a date (RFC 9110, 10.2.3).
 * @param now in milliseconds since 1970
 * @returns seconds, never negative; null when it is absent or makes no sense
 */
export function retryAfterSeconds(header: string | string[] | undefined, now: number): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!text) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = /^[A-Z][a-z]{2,8}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}
