import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importRatesV1, listRatesV1 } from '@switchboard/contracts';
import { SAMPLE_RATES } from '@switchboard/testing';
import { type GatewayUnderTest, startGateway } from './support/gateway';
import { type OperatorUnderTest, operatorOn } from './support/operator';

describe('operator rate card commands', () => {
  let gateway: GatewayUnderTest;
  let operator: OperatorUnderTest;
  let file: string;
  let folder: string;

  beforeAll(async () => {
    gateway = await startGateway({ standing: ['messaging'] });
    operator = operatorOn(gateway);
    folder = await mkdtemp(join(tmpdir(), 'rates-'));
    file = join(folder, 'rates.csv');
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(async () => {
    await rm(folder, { recursive: true });
    await gateway.close();
  });

  const audited = async (): Promise<object[]> =>
    gateway.database.dataSource.query(
      "SELECT action, target, details, outcome FROM audit_log WHERE action = 'rates.import' ORDER BY id",
    );

  it('import a file with an audit entry', async () => {
    await writeFile(file, SAMPLE_RATES);
    expect(await operator.json('rates', 'import', file, '--replace')).toMatchObject(importRatesV1.sample.response);
    const [given] = gateway.fakes.of(importRatesV1);
    expect(given).toMatchObject({ rates: { length: 10 }, replace: true });
    expect((given?.rates as object[])[0]).toEqual({
      market: 'India',
      category: 'marketing',
      currency: 'USD',
      amount: '0.0118',
      validFrom: '2026-07-01',
      source: 'sample for tests',
    });
    expect(await audited()).toEqual([
      {
        action: 'rates.import',
        target: 'rate card',
        details: { rates: 10, currency: 'USD', replace: true },
        outcome: 'done',
      },
    ]);
  });

  it('import nothing from an invalid file, and name its lines', async () => {
    const before = await audited();
    await writeFile(file, `${SAMPLE_RATES}Atlantis,utility,USD,1,2026-10-01,s\nOther,utility,USD,x,2026-10-01,s\n`);
    const { code, err } = await operator.run(['rates', 'import', file]);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/line 12: unknown market "Atlantis": use a name .*; line 13: amount must be a number/),
    ]);
    const missing = await operator.run(['rates', 'import', join(folder, 'none.csv')]);
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('cannot be read')]);
    expect(gateway.fakes.of(importRatesV1)).toEqual([]);
    expect(await audited()).toEqual(before);
  });

  it('list the rates of today, of a day, or all', async () => {
    const { rates } = await operator.json<{ rates: object[] }>('rates', 'list');
    expect(rates).toEqual(listRatesV1.sample.response.rates);
    await operator.json('rates', 'list', '--on', '2026-10-01');
    await operator.json('rates', 'list', '--all');
    expect(gateway.fakes.of(listRatesV1)).toEqual([
      { on: new Date().toISOString().slice(0, 10) },
      { on: '2026-10-01' },
      {},
    ]);
    expect(await operator.run(['rates', 'list', '--on', '2026-02-30'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('must be a day such as 2026-10-01') as string,
    });
  });
});
