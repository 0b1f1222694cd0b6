import { randomInt } from 'node:crypto';
import { request } from 'undici';
import type { SimulatorSettings } from '../config';

const TIMEOUT_MS = 5_000;

/** Verifies ownership of the receiver: it must echo the challenge for the right verify token. */
export async function verifyReceiver({
  callbackUrl,
  callbackHeaders,
  verifyToken,
}: SimulatorSettings): Promise<{ verified: boolean; reason?: string }> {
  const challenge = String(randomInt(1_000_000_000, 2_000_000_000));
  const query = { 'hub.mode': 'subscribe', 'hub.challenge': challenge, 'hub.verify_token': verifyToken };
  try {
    const answer = await request(callbackUrl, {
      query,
      headers: callbackHeaders,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) return { verified: false, reason: `HTTP ${answer.statusCode}` };
    return text === challenge
      ? { verified: true }
      : { verified: false, reason: 'the answer is not the bare challenge' };
  } catch (error) {
    return { verified: false, reason: error instanceof Error ? error.message : String(error) };
  }
}
