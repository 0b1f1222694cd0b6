import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Certificate {
  cert: string;
  key: string;
}

/**
 * Volume as Kubernetes mounts secrets: symbolic links into a folder behind another link, which is replaced atomically.
 */
export class SecretVolume {
  private versions = 0;

  private constructor(private readonly folder: string) {}

  static async create(first: Certificate): Promise<SecretVolume> {
    const volume = new SecretVolume(await mkdtemp(join(tmpdir(), 'switchboard-tls-')));
    await volume.renew(first);
    await symlink('..data/tls.crt', volume.certFile);
    await symlink('..data/tls.key', volume.keyFile);
    return volume;
  }

  get certFile(): string {
    return join(this.folder, 'tls.crt');
  }

  get keyFile(): string {
    return join(this.folder, 'tls.key');
  }

  async renew({ cert, key }: Certificate): Promise<void> {
    this.versions += 1;
    const version = `..${this.versions}`;
    await mkdir(join(this.folder, version));
    await writeFile(join(this.folder, version, 'tls.crt'), cert);
    await writeFile(join(this.folder, version, 'tls.key'), key);
    await symlink(version, join(this.folder, '..data_tmp'));
    await rename(join(this.folder, '..data_tmp'), join(this.folder, '..data'));
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }
}
