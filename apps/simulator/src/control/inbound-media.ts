import { Readable } from 'node:stream';
import { isObject, type JsonObject } from '../json';
import { mediaAddress } from '../media/media-routes';
import { MEDIA_SAMPLES } from '../media/samples';
import type { World } from '../world';
import { ControlError, textOf } from './control-error';

const MAX_BYTES = 100 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

export const isMediaKind = (type: string): boolean => type in MEDIA_SAMPLES;

/**
 * Stores a customer's file and returns it as in the callback. Options in `given`: `data` (base64; default: a small
 * sample of the kind), `byteLength` (pads to this size), `mime_type`, `caption`, `filename`, `voice`, `animated`, and
 * `url: false` for a callback without a URL, as some accounts receive it.
 * @throws ControlError
 */
export async function inboundMedia(
  world: World,
  phoneNumberId: string,
  { type, given, origin }: { type: string; given: unknown; origin: string },
): Promise<JsonObject> {
  const { data, byteLength, url, ...fields } = isObject(given) ? given : {};
  const sample = MEDIA_SAMPLES[type]!;
  const mimeType = textOf(fields.mime_type) ?? sample.mimeType;
  const bytes = data === undefined ? sample.bytes : Buffer.from(String(data), 'base64');
  const stored = await world.media.add(padded(bytes, byteLength), {
    phoneNumberId,
    mimeType,
    origin: 'inbound',
    nowMs: Date.now(),
  });
  return {
    ...sample.fields,
    ...fields,
    mime_type: mimeType,
    sha256: stored.sha256.toString('base64'),
    id: stored.id,
    ...(url !== false && { url: mediaAddress(world, stored, origin) }),
  };
}

function padded(bytes: Buffer, byteLength: unknown): Readable {
  const wanted = byteLength === undefined ? bytes.length : Number(byteLength);
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > MAX_BYTES)
    throw new ControlError(`byteLength: 1 to ${MAX_BYTES} is required`);
  return Readable.from(chunksOf(bytes, wanted), { objectMode: false });
}

function* chunksOf(bytes: Buffer, wanted: number): Generator<Buffer> {
  const start = bytes.subarray(0, wanted);
  if (start.length > 0) yield start;
  for (let left = wanted - start.length; left > 0; left -= CHUNK_BYTES) yield Buffer.alloc(Math.min(left, CHUNK_BYTES));
}
