import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { validate } from 'dockerfile-utils';
import { ROOT } from '../k8s/testing/paths';
import { SERVICE_FLAGS } from '../tools/lib/services.mjs';
import { readDockerFile } from './testing/compose';

interface Instruction {
  name: string;
  rest: string;
}

describe('Dockerfile', () => {
  let text: string;
  let stages: Instruction[][];

  beforeAll(async () => {
    text = await readDockerFile('Dockerfile');
    stages = stagesOf(text);
  });

  const finalStage = () => stages.at(-1) ?? [];
  const inFinalStage = (name: string) =>
    finalStage()
      .filter((instruction) => instruction.name === name)
      .map(({ rest }) => rest);

  it('passes the validator', () => {
    expect(validate(text)).toEqual([]);
  });

  it('is checked by a validator that finds problems', () => {
    expect(validate('FROM node:24\nEXPSE 3000\nHEALTHCHECK --interval=10 CMD ["node"]')).toHaveLength(2);
  });

  it('switches to the user node last', () => {
    expect(inFinalStage('USER')).toEqual(['node']);
    const afterUser = finalStage().slice(finalStage().findIndex(({ name }) => name === 'USER') + 1);
    expect(afterUser.map(({ name }) => name)).toEqual(['STOPSIGNAL', 'HEALTHCHECK', 'CMD']);
  });

  it('starts node without a shell that would swallow SIGTERM', () => {
    // All ways to start a service use the same flags.
    expect(inFinalStage('CMD').map((rest) => JSON.parse(rest))).toEqual([['node', ...SERVICE_FLAGS, 'main.mjs']]);
    expect(inFinalStage('STOPSIGNAL')).toEqual(['SIGTERM']);
    expect(inFinalStage('HEALTHCHECK')).toEqual([expect.stringMatching(/CMD \["node", "healthcheck.mjs"\]$/)]);
  });

  it('copies packages, bundles and health check into the final stage without building', () => {
    expect(inFinalStage('COPY')).toEqual([
      '--from=packages /app ./',
      'docker/healthcheck.mjs ./',
      '--from=build /app/dist/apps/${SERVICE} ./',
      '--from=packages --chown=node:node /blobs /var/lib/switchboard/blobs',
    ]);
    expect(inFinalStage('RUN')).toEqual([]);
  });

  it('installs the packages of the service for the target architecture', () => {
    const packages = stages[1]?.map(({ name, rest }) => `${name} ${rest}`) ?? [];
    expect(packages.filter((line) => line.startsWith('COPY'))).toEqual([
      'COPY package-lock.json .npmrc ./',
      'COPY --from=build /app/dist/apps/${SERVICE}/package.json ./',
    ]);
    const reduce = packages.indexOf('RUN npm install --package-lock-only --ignore-scripts --offline');
    const install = packages.findIndex((line) =>
      line.includes('npm ci --omit=dev --ignore-scripts --os=linux --libc=glibc'),
    );
    expect(reduce).toBeGreaterThan(0);
    expect(install).toBeGreaterThan(reduce);
    expect(packages.indexOf('ARG TARGETARCH')).toBeGreaterThan(0);
    expect(packages[install]).toContain('--cpu="$(echo "${TARGETARCH}" | sed s/amd64/x64/)"');
  });

  it("runs its build stages on the builder's architecture", () => {
    const froms = stages.map(([from]) => from?.rest);
    expect(froms).toEqual([
      '--platform=${BUILDPLATFORM} ${NODE_IMAGE} AS build',
      '--platform=${BUILDPLATFORM} ${NODE_IMAGE} AS packages',
      '${NODE_IMAGE}',
    ]);
  });

  it('uses one replaceable base image, pinned by version and digest', async () => {
    const { optionalDependencies } = JSON.parse(await readFile(resolve(ROOT, 'package.json'), 'utf8')) as {
      optionalDependencies: Record<string, string>;
    };
    const [, version, digest] = /^ARG NODE_IMAGE=docker\.io\/library\/node:(.+)-bookworm-slim@(.+)$/m.exec(text) ?? [];
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(Object.values(optionalDependencies)).toEqual([version, version]);
  });

  it('labels each image with its service, version and revision', () => {
    const [labels = ''] = inFinalStage('LABEL');
    for (const [label, argument] of [
      ['title', 'switchboard-${SERVICE}'],
      ['version', '${VERSION}'],
      ['revision', '${REVISION}'],
    ])
      expect(labels).toContain(`org.opencontainers.image.${label}="${argument}"`);
    expect(inFinalStage('ARG')).toEqual(['SERVICE', 'REVISION=unknown', 'VERSION=unknown']);
  });

  it('contains no secret and no secret argument', () => {
    const settings = stages.flat().filter(({ name }) => name === 'ARG' || name === 'ENV');
    expect(settings.map(({ rest }) => rest)).not.toContainEqual(
      expect.stringMatching(/SECRET|PASSWORD|TOKEN|_KEY|PEPPER|_URL/),
    );
  });

  it('builds the dashboard into the directory of the gateway', () => {
    const build = stages.flat().find(({ name, rest }) => name === 'RUN' && rest.includes('vite'))?.rest ?? '';
    expect(build).toContain('"${SERVICE}" = gateway');
    expect(build).toContain('vite.js build apps/dashboard && mv dist/apps/dashboard dist/apps/gateway/');
    expect(inFinalStage('COPY')).toContain('--from=build /app/dist/apps/${SERVICE} ./');
  });

  it('generates the files of the gateway and the clients before bundling', () => {
    const commands = stages[0]?.filter(({ name }) => name === 'RUN').map(({ rest }) => rest) ?? [];
    const generate = commands.findIndex((rest) => rest.includes('tools/generate.mjs gateway client python-client'));
    expect(generate).toBeGreaterThan(0);
    expect(commands[generate + 1]).toMatch(/^node tools\/bundle\.mjs /);
  });

  it('packs the clients into the directory of the gateway', () => {
    const build = stages.flat().find(({ name, rest }) => name === 'RUN' && rest.includes('vite'))?.rest ?? '';
    expect(build).toContain('&& node libs/client/build.mjs && node libs/python-client/build.mjs');
    expect(build).toContain('mv dist/libs/client/*.tgz dist/libs/python-client/*.whl dist/apps/gateway/clients/; fi');
  });

  it('copies only what the build reads from the checkout', async () => {
    const rules = (await readDockerFile('Dockerfile.dockerignore'))
      .split('\n')
      .filter((line) => line && !line.startsWith('#'));
    expect(rules[0]).toBe('*');
    const allowed = rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1));
    const copied = stages
      .flat()
      .flatMap(({ name, rest }) => (name === 'COPY' && !rest.startsWith('--from') ? rest.split(' ').slice(0, -1) : []));
    expect(allowed).toEqual(expect.arrayContaining(copied.filter((path) => path !== '.')));
    expect(allowed.sort()).toEqual(
      [
        '.npmrc',
        'CHANGELOG.md',
        'LICENSE',
        'apps',
        'docker/healthcheck.mjs',
        'docs/guides',
        'docs/openapi.json',
        'docs/spec.md',
        'libs',
        'package-lock.json',
        'package.json',
        'tools/bundle.mjs',
        'tools/generate',
        'tools/generate.mjs',
        'tools/lib/home.mjs',
        'tools/lib/swc-plugin.mjs',
        'tsconfig.base.json',
      ].sort(),
    );
    expect(rules).toEqual(expect.arrayContaining(['**/node_modules', '**/.env*']));
  });
});

/** Groups the instructions by build stage, each starting with its FROM. Omits instructions before the first FROM. */
function stagesOf(text: string): Instruction[][] {
  const lines = text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim());
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, rest });
  }
  return stages;
}
