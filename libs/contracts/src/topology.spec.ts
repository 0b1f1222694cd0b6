import { validateSync } from 'class-validator';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_CONTRACTS, COMMANDS, contractsHandledBy, EVENTS, queueOf } from './topology';
import { SERVICES } from './services';
import { dataChangedV1 } from './messaging/data-changes.v1';
import { parseBody } from './validation';

const samples = ALL_CONTRACTS.flatMap((contract) =>
  contract.kind === 'command'
    ? [
        { name: `${contract.name} request`, type: contract.request, sample: contract.sample.request },
        { name: `${contract.name} response`, type: contract.response, sample: contract.sample.response },
      ]
    : [{ name: contract.name, type: contract.body, sample: contract.sample }],
);

describe('message contracts', () => {
  it('are all exported by all-contracts.ts', () => {
    const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.v\d+\.ts$/.test(file),
    );
    const listed = readFileSync(join(import.meta.dirname, 'all-contracts.ts'), 'utf8');
    expect(files.length).toBeGreaterThan(20);
    const missing = files.filter((file) => !listed.includes(`'./${file.replace(/\.ts$/, '')}'`));
    expect(missing).toEqual([]); // If this fails, export the contracts from all-contracts.ts
  });

  it.each(samples)('have a sample that parses without loss: $name', ({ type, sample }) => {
    const parsed = parseBody(type, JSON.parse(JSON.stringify(sample)));
    // class-validator reports a class without decorators as an error, which would fail a class without fields.
    expect(validateSync(parsed, { forbidUnknownValues: false })).toEqual([]);
    expect(JSON.parse(JSON.stringify(parsed))).toEqual(JSON.parse(JSON.stringify(sample)));
  });

  it('have unique names that match their pattern', () => {
    const names = ALL_CONTRACTS.map((contract) => contract.name);
    expect(new Set(names).size).toBe(names.length);
    for (const contract of COMMANDS)
      expect(contract.name).toMatch(new RegExp(`^${contract.owner}\\.[a-z]+(-[a-z]+)+\\.v\\d+$`));
    for (const contract of EVENTS) expect(contract.name).toMatch(/^[a-z]+\.[a-z-]+\.[a-z]+\.v\d+$/);
  });

  it('declare for each command whether it has side effects', () => {
    const reading = /\.(count|estimate|get|list|search|show|check|stage|sum)-/;
    expect(COMMANDS.filter(({ name, changes }) => changes === reading.test(name)).map(({ name }) => name)).toEqual([]);
  });

  it('each have a service that implements them', () => {
    const handled = new Set(SERVICES.flatMap((service) => contractsHandledBy(service)));
    expect(ALL_CONTRACTS.filter((contract) => !handled.has(contract))).toEqual([]);
  });

  it('are either consumed or broadcast', () => {
    // A listener's queue would receive the event even if the queue of a consumer were missing.
    const both = EVENTS.filter(({ consumers, broadcastTo = [] }) => consumers.length > 0 && broadcastTo.length > 0);
    expect(both.map(({ name }) => name)).toEqual([]);
  });

  it('name data changes without content', () => {
    const named = EVENTS.flatMap((contract) => contract.changes?.(contract.sample) ?? []);
    expect(named.length).toBeGreaterThan(12);
    const ids = /^[a-z]+_01jd[0-9a-z]+$|^\d+$/;
    for (const change of named) {
      expect(parseBody(dataChangedV1.body, { changes: [change] })).toEqual({ changes: [change] });
      for (const id of [change.accountId, ...(change.ids ?? [])]) expect(id).toMatch(ids);
    }
  });

  it('have a queue for each consumer of an event', () => {
    expect(EVENTS.flatMap((contract) => contract.consumers.map((consumer) => queueOf(contract, consumer)))).toContain(
      'webhooks.messaging.message-status.changed.v1',
    );
  });
});
