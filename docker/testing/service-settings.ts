import type { ConfigDefinition } from '@switchboard/platform';

export type Environment = Record<string, string>;

/** Variables that Node reads instead of the program. */
const OF_NODE = ['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];

export function programEnvironment(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !OF_NODE.includes(name)));
}

/** Returns the settings that an app's config.ts declares for the program or its migration. */
export async function declaredSettings(app: string, program: 'main' | 'migrate'): Promise<ConfigDefinition> {
  const declared = (await import(`../../apps/${app}/src/config.ts`)) as Record<string, unknown>;
  const definitions = Object.values(declared)
    .filter(isDefinition)
    .filter(({ owner }) => owner === app);
  const [definition, ...others] = definitions.filter(
    ({ fields }) => 'DATABASE_ADMIN_URL' in fields === (program === 'migrate'),
  );
  if (!definition || others.length > 0)
    throw new Error(`apps/${app}/src/config.ts does not declare the settings of ${program} exactly once`);
  return definition;
}

function isDefinition(value: unknown): value is ConfigDefinition {
  return typeof value === 'object' && value !== null && 'owner' in value && 'fields' in value;
}

export function imageEnvironment(dockerfile: string): Environment {
  const lines = [...dockerfile.matchAll(/^ENV (.+)$/gm)].map(([, line = '']) => line);
  return Object.fromEntries(
    lines.flatMap((line) => line.split(' ').map((pair) => pair.split('=', 2) as [string, string])),
  );
}
