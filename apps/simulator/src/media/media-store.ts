import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Lifetime of an id, by origin: uploaded by the business, or received in a callback. */
const LIFE_MS = { uploaded: 30 * DAY_MS, inbound: 7 * DAY_MS };
const URL_LIFE_MS = 5 * 60 * 1_000;
const MAX_FILES = 10_000;

export interface StoredMedia {
  id: string;
  phoneNumberId: string;
  mimeType: string;
  byteLength: number;
  /** SHA-256 of the bytes, which callbacks show in base64 and media objects in hex. */
  sha256: Buffer;
  expiresAtMs: number;
}

export interface NewMedia {
  phoneNumberId: string;
  mimeType: string;
  origin: keyof typeof LIFE_MS;
  nowMs: number;
}

/** Stores media bytes in its own temporary directory. Evicts the oldest files above a total size. */
export class MediaStore {
  private readonly folder = mkdtempSync(join(tmpdir(), 'switchboard-simulator-'));
  private readonly media = new Map<string, StoredMedia>();
  private readonly key = randomBytes(32);
  private readonly uploadsByNumber = new Map<string, number>();
  private totalBytes = 0;
  private lastId = 1_037_543_291_000_000 + Math.floor(Math.random() * 1_000_000);

  constructor(private readonly maxTotalBytes: number) {}

  /** Streams the bytes to disk and hashes them. If the stream breaks, rejects and leaves no file behind. */
  async add(bytes: Readable, { phoneNumberId, mimeType, origin, nowMs }: NewMedia): Promise<StoredMedia> {
    const id = String((this.lastId += 1));
    const hash = createHash('sha256');
    let byteLength = 0;
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        byteLength += chunk.length;
        done(null, chunk);
      },
    });
    try {
      await pipeline(bytes, measure, createWriteStream(this.pathOf(id)));
    } catch (error) {
      await rm(this.pathOf(id), { force: true });
      throw error;
    }
    const stored = {
      id,
      phoneNumberId,
      mimeType,
      byteLength,
      sha256: hash.digest(),
      expiresAtMs: nowMs + LIFE_MS[origin],
    };
    this.media.set(id, stored);
    if (origin === 'uploaded') this.uploadsByNumber.set(phoneNumberId, this.uploadsOf(phoneNumberId) + 1);
    this.totalBytes += byteLength;
    await this.makeRoom();
    return stored;
  }

  /** Returns undefined for unknown or expired media. */
  find(id: string, nowMs: number): StoredMedia | undefined {
    const media = this.media.get(id);
    return media && media.expiresAtMs > nowMs ? media : undefined;
  }

  /** Returns the number of files that a business number has uploaded, including those that expired since. */
  uploadsOf(phoneNumberId: string): number {
    return this.uploadsByNumber.get(phoneNumberId) ?? 0;
  }

  /** Deletes the files of a business number, as if they had expired. @returns their number */
  async forget(phoneNumberId: string): Promise<number> {
    const files = [...this.media.values()].filter((file) => file.phoneNumberId === phoneNumberId);
    await Promise.all(files.map(({ id }) => this.delete(id)));
    return files.length;
  }

  read(media: StoredMedia): Readable {
    return createReadStream(this.pathOf(media.id));
  }

  /** Deletes an id. @returns whether it existed */
  async delete(id: string): Promise<boolean> {
    const media = this.media.get(id);
    if (!media) return false;
    this.media.delete(id);
    this.totalBytes -= media.byteLength;
    await rm(this.pathOf(id), { force: true });
    return true;
  }

  /** Returns the query of a URL that serves the bytes for five minutes. */
  addressQuery(id: string, nowMs: number): string {
    const ext = String(Math.floor((nowMs + URL_LIFE_MS) / 1_000));
    return new URLSearchParams({ mid: id, ext, hash: this.sign(id, ext) }).toString();
  }

  /** Returns the media of a URL, or undefined when the URL is forged or expired, or its media no longer exist. */
  findByAddress(
    { mid = '', ext = '', hash = '' }: Record<string, string | undefined>,
    nowMs: number,
  ): StoredMedia | undefined {
    const [wanted, given] = [Buffer.from(this.sign(mid, ext)), Buffer.from(hash)];
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
    return Number(ext) * 1_000 > nowMs ? this.find(mid, nowMs) : undefined;
  }

  async reset(): Promise<void> {
    await Promise.all([...this.media.keys()].map((id) => this.delete(id)));
    this.uploadsByNumber.clear();
  }

  /** Removes the directory. The store cannot be used afterwards. */
  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async makeRoom(): Promise<void> {
    while (this.media.size > 1 && (this.totalBytes > this.maxTotalBytes || this.media.size > MAX_FILES)) {
      await this.delete(this.media.keys().next().value!);
    }
  }

  private sign(id: string, ext: string): string {
    return createHmac('sha256', this.key).update(`${id}:${ext}`).digest('base64url');
  }

  private pathOf(id: string): string {
    return join(this.folder, id);
  }
}
