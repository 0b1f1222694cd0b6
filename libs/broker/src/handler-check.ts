import { ALL_CONTRACTS, contractsHandledBy, type ServiceName } from '@switchboard/contracts';

/**
 * Compares a service's handlers with the messages that the service must handle.
 * @param handled patterns of all handlers; a pattern with two handlers appears twice
 * @returns one sentence per problem; empty when the service may start
 */
export function handlerProblems(service: ServiceName, handled: readonly string[]): string[] {
  const expected = contractsHandledBy(service).map(({ name }) => name);
  const counts = new Map<string, number>();
  for (const name of handled) counts.set(name, (counts.get(name) ?? 0) + 1);
  const missing = expected
    .filter((name) => !counts.has(name))
    .map((name) => `${name} has no handler: add one to a controller in apps/${service}/src`);
  const wrong = [...counts].flatMap(([name, count]) => {
    if (!ALL_CONTRACTS.some((contract) => contract.name === name))
      return [`${name} has no queue: export its file from libs/contracts/src/all-contracts.ts`];
    if (!expected.includes(name)) return [`${name} has a handler, but ${service} neither owns nor consumes it`];
    return count > 1 ? [`${name} has ${count} handlers`] : [];
  });
  return [...missing, ...wrong];
}
