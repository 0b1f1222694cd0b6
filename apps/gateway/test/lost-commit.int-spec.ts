import { startTcpProxy, type TcpProxy } from '@switchboard/testing';
import { PASSWORD, signedIn } from './support/console';
import { type GatewayUnderTest, startGateway } from './support/gateway';
import { call } from './support/http';
import { type OperatorUnderTest, operatorOn } from './support/operator';

const UNKNOWN = { code: 'OUTCOME_UNKNOWN' };

describe('change whose COMMIT reply is lost', () => {
  let gateway: GatewayUnderTest;
  let database: TcpProxy;
  let operator: OperatorUnderTest;

  beforeAll(async () => {
    gateway = await startGateway({
      standing: [],
      databaseUrl: async (url) => {
        const { hostname, port } = new URL(url);
        database = await startTcpProxy({ host: hostname, port: Number(port) });
        return database.through(url);
      },
    });
    operator = operatorOn(gateway);
  });
  afterAll(async () => {
    await gateway.close();
    await database.close();
  });

  /** Runs an operator command and drops the database's reply to its commit, once the given text has appeared. */
  const losing = async (said: string, ...args: string[]): Promise<unknown> => {
    const lost = database.loseAnswer(said, 'COMMIT');
    const { code, err } = await operator.run([...args, '--json']);
    await lost;
    expect(code).not.toBe(0);
    return JSON.parse(err);
  };

  it('has an unknown outcome when it creates an account', async () => {
    const create = ['accounts', 'create', '--name', 'Lost and found', '--plan', 'growth'];
    expect(await losing('account.create', ...create)).toMatchObject(UNKNOWN);
    const { accounts } = await operator.json<{ accounts: { name: string }[] }>('accounts', 'list');
    expect(accounts.filter(({ name }) => name === 'Lost and found')).toHaveLength(1);
  });

  it('has an unknown outcome when it revokes a key', async () => {
    const { apiKey, keyId } = await gateway.customer();
    expect(await losing(keyId, 'keys', 'revoke', '--key', keyId)).toMatchObject(UNKNOWN);
    expect((await call(`${gateway.url}/v1/me`, { key: apiKey })).status).toBe(401);
    // Repeating the command is not an error.
    const revokedAt: unknown = expect.any(String);
    expect(await operator.json('keys', 'revoke', '--key', keyId)).toMatchObject({ keyId, revokedAt });
  });

  it('returns 504 when it changes a password', async () => {
    const { accountId } = await gateway.customer();
    const owner = await signedIn(gateway, accountId);
    const next = `${PASSWORD} staple`;
    const lost = database.loseAnswer('set-password', 'COMMIT');
    const body = { currentPassword: PASSWORD, newPassword: next };
    const answer = await owner.call('PUT', '/console/v1/me/password', { body });
    await lost;
    expect(answer).toMatchObject({ status: 504, body: UNKNOWN });
    expect((await owner.signIn(owner.user.email, next)).status).toBe(200);
  });
});
