import type { ByteRange } from '@switchboard/blobs';

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/;

/**
 * The part that a `Range` header asks for (RFC 9110, section 14).
 * @returns `whole` when there is no such header or one we need not honour (several parts, another unit), `none` when no
 * byte lies in it
 */
export function rangeOf(header: string | undefined, bytes: number): ByteRange | 'whole' | 'none' {
  const [, first = '', last = ''] = ONE_RANGE.exec(header ?? '') ?? [];
  if (first === '' && last === '') return 'whole';
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  // A range that runs backwards is no range at all.
  if (first !== '' && last !== '' && Number(last) < Number(first)) return 'whole';
  return start <= end ? { start, end } : 'none';
}
