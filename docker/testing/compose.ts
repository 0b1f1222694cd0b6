import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../k8s/testing/paths';

type DependsOn = Record<string, { condition: string }>;

export interface ComposeService {
  image?: string;
  build?: { context: string; dockerfile: string; args: { SERVICE: string } };
  extends?: { file: string; service: string };
  command?: string[];
  environment?: Record<string, string | number>;
  env_file?: { path: string; required: boolean }[];
  ports?: string[];
  networks?: string[];
  volumes?: string[];
  profiles?: string[];
  depends_on?: DependsOn;
  restart?: string;
  init?: boolean;
  stop_grace_period?: string;
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  cpus?: number;
  mem_limit?: string;
  pids_limit?: number;
  logging?: { driver: string; options: Record<string, string> };
  healthcheck?: { test?: string[]; disable?: boolean };
}

export interface ComposeFile {
  name?: string;
  services: Record<string, ComposeService>;
  networks?: Record<string, { internal?: boolean } | null>;
}

export function readDockerFile(name: string): Promise<string> {
  return readFile(resolve(ROOT, 'docker', name), 'utf8');
}

/** Parses a compose file and merges its anchors. Leaves `${VARIABLES}` and `extends` unresolved. */
export async function readCompose(name: string): Promise<ComposeFile> {
  return parse(await readDockerFile(name), { merge: true }) as ComposeFile;
}

export async function withExtended(service: ComposeService): Promise<ComposeService> {
  if (!service.extends) return service;
  const { services } = await readCompose(service.extends.file);
  return { ...services[service.extends.service], ...service };
}

/** Parses lines of `NAME=value`. Skips comments and blank lines. */
export function parseEnvFile(text: string): Map<string, string> {
  return new Map([...text.matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
}
