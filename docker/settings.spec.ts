import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SERVICES } from '@switchboard/contracts';
import { configProblems } from '@switchboard/platform';
import type { ConfigMap, Secret } from 'kubernetes-types/core/v1';
import {
  containerOf,
  type Manifest,
  ofKind,
  renderManifests,
  type Workload,
  workloadsOf,
} from '../k8s/testing/manifests';
import { ROOT } from '../k8s/testing/paths';
import { type ComposeFile, parseEnvFile, readCompose, readDockerFile } from './testing/compose';
import { declaredSettings, type Environment, imageEnvironment, programEnvironment } from './testing/service-settings';

/** Value for secrets that make-env.sh would fill in. It is long enough for every secret, and 32 bytes as base64. */
const ANY_SECRET = Buffer.alloc(32, 'any').toString('base64');

const APPS = [...SERVICES, 'simulator'];

let ofImage: Environment;

beforeAll(async () => {
  ofImage = imageEnvironment(await readDockerFile('Dockerfile'));
});

describe('settings of compose.yaml', () => {
  let compose: ComposeFile;
  let variables: Map<string, string>;

  beforeAll(async () => {
    compose = await readCompose('compose.yaml');
    variables = parseEnvFile(await readDockerFile('env.example'));
  });

  const environmentOf = (name: string): Environment => {
    const pairs = Object.entries(compose.services[name]?.environment ?? {});
    return programEnvironment(
      Object.fromEntries(pairs.map(([key, value]) => [key, interpolate(String(value), variables)])),
    );
  };

  it.each(APPS)('give %s only valid settings that it reads', async (app) => {
    const settings = await declaredSettings(app, 'main');
    expect(configProblems(settings, { ...ofImage, ...environmentOf(app) })).toEqual([]);
    expect(Object.keys(settings.fields)).toEqual(expect.arrayContaining(Object.keys(environmentOf(app))));
  });

  it.each(SERVICES)('give the migration of %s only valid settings that it reads', async (service) => {
    const settings = await declaredSettings(service, 'migrate');
    const environment = environmentOf(`migrate-${service}`);
    expect(configProblems(settings, environment)).toEqual([]);
    expect(Object.keys(settings.fields)).toEqual(expect.arrayContaining(Object.keys(environment)));
  });

  it('give the operator valid settings that doctor does not report', async () => {
    const { opsSettings } = await import('../apps/gateway/src/config');
    const { unreadSettings } = await import('../apps/gateway/src/cli/unread-settings');
    const environment = { ...ofImage, ...environmentOf('operator') };
    expect(configProblems(opsSettings, environment)).toEqual([]);
    expect(environment['SETTINGS_FILE']).toBe(`docker/${compose.services.operator?.env_file?.[0]?.path}`);
    expect(unreadSettings([...Object.keys(environment), 'PATH', 'HOME', 'HOSTNAME', 'TERM'])).toEqual([]);
    expect(unreadSettings([...Object.keys(environment), 'LOG_LEVLE'])).toHaveLength(1);
  });

  it('require HTTPS, which the simulator reports in its callbacks', () => {
    expect(environmentOf('gateway')).toMatchObject({ REQUIRE_HTTPS: 'true', TRUSTED_PROXY_HOPS: '1' });
    expect(environmentOf('simulator').SIMULATOR_CALLBACKS_BY_HTTPS).toBe('true');
    expect(compose.services.gateway?.environment?.REQUIRE_HTTPS).toBe('${REQUIRE_HTTPS:-true}');
  });

  it('give simulator and gateway the same signing secret and verify token', () => {
    expect(environmentOf('simulator').SIMULATOR_APP_SECRET).toBe(environmentOf('gateway').UPSTREAM_APP_SECRET);
    const texts = [
      compose.services.simulator?.environment?.SIMULATOR_VERIFY_TOKEN,
      compose.services.gateway?.environment?.UPSTREAM_VERIFY_TOKEN,
    ];
    expect(texts[0]).toBe(texts[1]);
  });
});

describe('settings of the Kubernetes base', () => {
  it('require HTTPS', async () => {
    const settings = ofKind<ConfigMap>(await renderManifests('base'), 'ConfigMap').find(({ metadata }) =>
      metadata.name.startsWith('switchboard-gateway-'),
    );
    expect(settings?.data).toMatchObject({ REQUIRE_HTTPS: 'true', TRUSTED_PROXY_HOPS: '1' });
  });
});

describe('settings of the dev overlay', () => {
  let manifests: Manifest[];
  let workloads: Workload[];

  beforeAll(async () => {
    manifests = await renderManifests('overlays/dev');
    workloads = workloadsOf(manifests);
  });

  const workload = (name: string): Workload => {
    const found = workloads.find((each) => each.name === name);
    if (!found) throw new Error(`no workload ${name}`);
    return found;
  };
  const environmentOf = (name: string): Environment =>
    programEnvironment(containerEnvironment(workload(name), manifests));

  it.each(APPS)('give %s valid settings', async (app) => {
    expect(configProblems(await declaredSettings(app, 'main'), { ...ofImage, ...environmentOf(app) })).toEqual([]);
  });

  it.each(SERVICES)('give the migration of %s valid settings and the login of its service', async (service) => {
    const environment = environmentOf(`migrate-${service}`);
    expect(configProblems(await declaredSettings(service, 'migrate'), environment)).toEqual([]);
    expect(environment.DATABASE_ADMIN_URL).toBeDefined();
    expect(environment.DATABASE_URL).toMatch(new RegExp(`^postgres://sb_${service}:`));
    expect(environmentOf(service).DATABASE_URL).toBe(environment.DATABASE_URL);
  });

  it.each(APPS)('give %s no setting that it does not read', async (app) => {
    const { fields } = await declaredSettings(app, 'main');
    expect(Object.keys(environmentOf(app)).filter((name) => !(name in fields))).toEqual([]);
  });

  it('open the ports that the programs listen on', () => {
    const portsOf = (name: string) =>
      Object.fromEntries(
        (containerOf(workload(name)).ports ?? []).map((port) => [port.name, String(port.containerPort)]),
      );
    for (const service of SERVICES)
      expect(portsOf(service).management).toBe({ ...ofImage, ...environmentOf(service) }.MANAGEMENT_PORT);
    expect(portsOf('gateway').http).toBe(environmentOf('gateway').GATEWAY_PORT);
    expect(portsOf('simulator').http).toBe(environmentOf('simulator').SIMULATOR_PORT);
  });
});

describe('settings of the image', () => {
  it('listen on all addresses and are all read by a program', async () => {
    const { fields } = await declaredSettings('gateway', 'main');
    expect(ofImage.LISTEN_ADDRESS).toBe('0.0.0.0');
    expect([...Object.keys(fields), 'NODE_ENV']).toEqual(expect.arrayContaining(Object.keys(ofImage)));
  });

  it("tag images with the project's version", async () => {
    const { version } = JSON.parse(await readFile(resolve(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(parseEnvFile(await readDockerFile('env.example')).get('SWITCHBOARD_TAG')).toBe(version);
  });
});

/** Substitutes variables in a compose value. An empty variable stands for a secret. */
function interpolate(text: string, variables: Map<string, string>): string {
  return text.replace(
    /\$\{([A-Z_]+)([^}]*)\}/g,
    (_, name: string, rest: string) =>
      variables.get(name) || (rest === ':-' ? '' : text.includes('://') ? 'hex' : ANY_SECRET),
  );
}

function containerEnvironment(workload: Workload, manifests: Manifest[]): Environment {
  const { envFrom = [], env = [] } = containerOf(workload);
  const configMaps = ofKind<ConfigMap>(manifests, 'ConfigMap');
  const secrets = ofKind<Secret>(manifests, 'Secret');
  const environment: Environment = {};
  for (const { configMapRef, secretRef } of envFrom) {
    Object.assign(environment, configMaps.find(({ metadata }) => metadata.name === configMapRef?.name)?.data);
    const encoded = secrets.find(({ metadata }) => metadata.name === secretRef?.name)?.data ?? {};
    for (const [name, value] of Object.entries(encoded)) environment[name] = Buffer.from(value, 'base64').toString();
  }
  for (const { name, value } of env) if (value !== undefined) environment[name] = value;
  return environment;
}
