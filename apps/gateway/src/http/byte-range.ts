import type { ByteRange } from '@switchboard/blobs';

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/;

/**
 * Parses a `Range` header (RFC 9110, section 14).
 * @returns `whole` without a header and for ranges that may be ignored (several parts, another unit); `none` if the
 * range contains no byte of the file
 */
export function rangeOf(header: string | undefined, bytes: number): ByteRange | 'whole' | 'none' {
  const [, first = '', last = ''] = ONE_RANGE.exec(header ?? '') ?? [];
  if (first === '' && last === '') return 'whole';
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  // A reversed range is invalid and must be ignored.
  if (first !== '' && last !== '' && Number(last) < Number(first)) return 'whole';
  return start <= end ? { start, end } : 'none';
}
