import { randomFillSync } from 'node:crypto';

/** Pool of random bytes, because requesting nine at a time costs more than the rest of an id. */
const stock = Buffer.alloc(8_192);
let used = stock.length;

/**
 * Creates a message id like the platform's: base64 of a small binary record with the user's number, the direction and a
 * random part (9 bytes outbound, 10 inbound, as uppercase hex).
 */
export function newWamid(waId: string, direction: 'outbound' | 'inbound'): string {
  const [marker, randomLength] = direction === 'outbound' ? [0x11, 9] : [0x12, 10];
  const hex = randomHex(randomLength).toUpperCase();
  const record = Buffer.from(
    `\x1c\x18${String.fromCharCode(waId.length)}${waId}\x15\x02\x00${String.fromCharCode(marker)}\x18${String.fromCharCode(hex.length)}${hex}\x00`,
    'latin1',
  );
  return `wamid.${record.toString('base64')}`;
}

function randomHex(bytes: number): string {
  if (used + bytes > stock.length) {
    randomFillSync(stock);
    used = 0;
  }
  used += bytes;
  return stock.toString('hex', used - bytes, used);
}
