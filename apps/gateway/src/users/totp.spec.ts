import { Secret, TOTP } from 'otpauth';
import decodeQR from 'qr/decode.js';
import { newTotpSecret, qrCodeOf, stepOfCode, totpUri } from './totp';

/** Seed of the test vectors in RFC 6238. */
const RFC_SECRET = Secret.fromLatin1('12345678901234567890').base32;
const STEP = 60_000_000;
const START = STEP * 30_000;

describe('TOTP code', () => {
  it.each([
    ['287082', 59_000],
    ['081804', 1_111_111_109_000],
    ['005924', 1_234_567_890_000],
    ['279037', 2_000_000_000_000],
  ])("%s is valid at time %i of the RFC's test vectors", (code, nowMs) => {
    expect(stepOfCode(RFC_SECRET, code, nowMs)).toBe(Math.floor(nowMs / 30_000));
  });

  it.each([START, START + 15_000, START + 29_999])('is valid up to one time step early or late (%i)', (nowMs) => {
    const secret = newTotpSecret();
    const codes = [-3, -2, -1, 0, 1, 2, 3].map((steps) =>
      new TOTP({ secret }).generate({ timestamp: nowMs + steps * 30_000 }),
    );
    expect(codes.map((code) => stepOfCode(secret, code, nowMs))).toEqual([
      undefined,
      undefined,
      STEP - 1,
      STEP,
      STEP + 1,
      undefined,
      undefined,
    ]);
  });

  it.each(['', '12345', '1234567', 'abcdef', '１２３４５６'])('rejects %j', (code) => {
    expect(stepOfCode(RFC_SECRET, code, START)).toBeUndefined();
  });
});

describe('TOTP secret', () => {
  it('has 160 random bits and is unique', () => {
    const secrets = Array.from({ length: 50 }, newTotpSecret);
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  });

  it('is encoded in the URI and the QR code', () => {
    const uri = totpUri(RFC_SECRET, 'asha+1@example.com');
    expect(uri).toBe(
      `otpauth://totp/Switchboard:asha%2B1%40example.com?issuer=Switchboard&secret=${RFC_SECRET}&algorithm=SHA1&digits=6&period=30`,
    );
    expect(scanned(qrCodeOf(uri))).toBe(uri);
  });
});

/** Decodes a QR code of dark squares on a white background. */
function scanned(dataUrl: string): string {
  const svg = Buffer.from(dataUrl.replace('data:image/svg+xml;base64,', ''), 'base64').toString();
  expect(svg).toContain('<rect width="100%" height="100%" fill="#fff"/>');
  const size = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
  const SCALE = 4;
  const data = new Uint8Array(size * SCALE * size * SCALE * 4).fill(255);
  let at = { x: 0, y: 0 };
  for (const [, kind, dx, dy] of svg.matchAll(/([Mm])(-?\d+)[ ]?(-?\d+)h1/g)) {
    at = kind === 'M' ? { x: Number(dx), y: Number(dy) } : { x: at.x + Number(dx), y: at.y + Number(dy) };
    for (let y = at.y * SCALE; y < (at.y + 1) * SCALE; y += 1) {
      for (let x = at.x * SCALE; x < (at.x + 1) * SCALE; x += 1)
        data.fill(0, (y * size * SCALE + x) * 4, (y * size * SCALE + x) * 4 + 3);
    }
  }
  return decodeQR({ width: size * SCALE, height: size * SCALE, data });
}
