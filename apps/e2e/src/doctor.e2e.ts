import { gatewaySql } from './support/database';
import { done, doneWith } from './support/installation';

/** Counts the sessions of the other services. The gateway's login sees little more than their owners. */
const OTHERS =
  "SELECT count(*)::int AS count FROM pg_stat_activity WHERE usename LIKE 'sb\\_%' AND usename <> current_user";

interface Finding {
  check: string;
  state: string;
  finding: string;
  advice: string;
}

describe('ops doctor', () => {
  it('finds no problem in a working installation', async () => {
    const { findings } = (await done('doctor')) as { findings: Finding[] };
    expect(findings.filter(({ state }) => state === 'problem')).toEqual([]);
    const services = ['gateway', 'messaging', 'templates', 'otp', 'jobs', 'webhooks'];
    expect(findings.map(({ check }) => check)).toEqual(
      [
        'settings',
        'database',
        'connections',
        'migrations',
        'replication',
        'broker',
        services,
        'dead letters',
        'publishing',
        'cluster',
        'numbers',
        'secrets',
        'platform version',
      ].flat(),
    );
  });

  it('counts the connections of all services', async () => {
    const [others] = await gatewaySql<{ count: number }>(OTHERS);
    const { findings } = (await done('doctor')) as { findings: Finding[] };
    const used = Number.parseInt(findings.find(({ check }) => check === 'connections')?.finding ?? '', 10);
    expect(others?.count).toBeGreaterThan(5);
    // Some sessions may have ended in between.
    expect(used).toBeGreaterThan((others?.count ?? 0) * 0.8);
  });

  it('lists services with missing queues and the command to create them', async () => {
    await expect(doneWith({ BROKER_NAMESPACE: 'nothing-here' }, 'doctor')).rejects.toThrow(
      /something is wrong: gateway, messaging, templates, otp, jobs, webhooks.*run the broker's set-up/is,
    );
  });

  it('reports unreachable servers and checks the rest', async () => {
    const settings = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    const failed = doneWith(settings, 'doctor');
    await expect(failed).rejects.toThrow('something is wrong: database"');
    await expect(failed).rejects.toThrow('ECONNREFUSED');
    await expect(failed).rejects.toThrow('"check":"webhooks","state":"ok"');
  });
});
