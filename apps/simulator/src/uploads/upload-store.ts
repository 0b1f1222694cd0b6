import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export const UPLOAD_LIFE_MS = 24 * 60 * 60 * 1_000;
const MAX_SESSIONS = 200;

/** File that is uploaded in parts, whether complete or not. */
export interface UploadSession {
  /** Session id, `upload:…`, without the signature. */
  id: string;
  signature: string;
  mimeType: string;
  /** Length of the whole file. */
  byteLength: number;
  /** Number of bytes received so far. */
  offset: number;
  expiresAtMs: number;
  /** Set after the last byte was received. */
  handle?: string;
  /** Resolves when no write to the file is in progress. */
  writing: Promise<void>;
}

/** Stores samples of template headers in its own temporary directory. Evicts the oldest above a maximum number. */
export class UploadStore {
  private readonly folder = mkdtempSync(join(tmpdir(), 'switchboard-uploads-'));
  private readonly sessions = new Map<string, UploadSession>();

  async open(mimeType: string, byteLength: number, nowMs: number): Promise<UploadSession> {
    const session: UploadSession = {
      id: `upload:${randomBytes(18).toString('base64url')}`,
      signature: randomBytes(12).toString('base64url'),
      mimeType,
      byteLength,
      offset: 0,
      expiresAtMs: nowMs + UPLOAD_LIFE_MS,
      writing: Promise.resolve(),
    };
    await writeFile(this.pathOf(session), '');
    this.sessions.set(session.id, session);
    const [oldest] = this.sessions.values();
    if (oldest && this.sessions.size > MAX_SESSIONS) await this.remove(oldest);
    return session;
  }

  /** Returns undefined for an unknown or expired session. */
  find(id: string, signature: string | undefined, nowMs: number): UploadSession | undefined {
    const session = this.sessions.get(id);
    return session && session.signature === signature && session.expiresAtMs > nowMs ? session : undefined;
  }

  /** Returns the file of a handle, or undefined when the handle is forged or expired. */
  byHandle(handle: string, nowMs: number): UploadSession | undefined {
    return [...this.sessions.values()].find((upload) => upload.handle === handle && upload.expiresAtMs > nowMs);
  }

  finished(id: string): UploadSession | undefined {
    const session = this.sessions.get(id);
    return session?.handle === undefined ? undefined : session;
  }

  read(session: UploadSession): Readable {
    return createReadStream(this.pathOf(session));
  }

  /**
   * Writes bytes at the session's offset, which advances even if the stream breaks. Discards bytes beyond the declared
   * length. @returns `too many` if bytes were discarded
   */
  async append(session: UploadSession, bytes: Readable): Promise<'taken' | 'too many'> {
    const path = this.pathOf(session);
    const before = session.offset;
    let settle = (): void => undefined;
    session.writing = new Promise((resolve) => (settle = resolve));
    try {
      await pipeline(bytes, createWriteStream(path, { flags: 'a' }));
    } finally {
      const { size } = await stat(path);
      const isTooLong = size > session.byteLength;
      if (isTooLong) await truncate(path, before);
      session.offset = isTooLong ? before : size;
      settle();
      if (isTooLong) return 'too many';
    }
    if (session.offset === session.byteLength)
      session.handle ??= `4::${Buffer.from(session.mimeType).toString('base64url')}:${randomBytes(24).toString('base64url')}`;
    return 'taken';
  }

  async reset(): Promise<void> {
    await Promise.all([...this.sessions.values()].map((session) => this.remove(session)));
  }

  /** Removes the directory. The store cannot be used afterwards. */
  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async remove(session: UploadSession): Promise<void> {
    this.sessions.delete(session.id);
    await rm(this.pathOf(session), { force: true });
  }

  private pathOf({ id }: UploadSession): string {
    return join(this.folder, id.slice('upload:'.length));
  }
}
