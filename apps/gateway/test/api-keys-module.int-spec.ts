import { Test, type TestingModule } from '@nestjs/testing';
import { DatabaseModule, Transactions } from '@switchboard/database';
import { PlatformModule } from '@switchboard/platform';
import { createTestDatabase, silentLogger, type TestDatabase } from '@switchboard/testing';
import { Account } from '../src/accounts/account.entity';
import { AccountsService } from '../src/accounts/accounts.service';
import { ApiKeysModule } from '../src/api-keys/api-keys.module';
import { ConsoleRateUsageController } from '../src/api-keys/console-rate-usage.controller';
import { KeysService } from '../src/api-keys/keys.service';
import { entities } from '../src/entities';
import { migrations } from '../src/migrations';
import type { ConsoleUser } from '../src/request-context/console-user';

/** Starts one feature with its database, without the broker, routes and other features. */
describe('ApiKeysModule', () => {
  let database: TestDatabase;
  let module: TestingModule;

  beforeAll(async () => {
    database = await createTestDatabase('gateway', migrations, entities);
    module = await Test.createTestingModule({
      imports: [
        PlatformModule.forRoot({ config: {}, logger: silentLogger }),
        DatabaseModule.forRoot({ schema: 'gateway', url: database.url, entities, sizes: { requests: 2 } }),
        ApiKeysModule,
      ],
    }).compile();
  });
  afterAll(async () => {
    await module.close();
    await database.drop();
  });

  it('returns the rate limit of a new key', async () => {
    const accounts = new AccountsService(database.dataSource.getRepository(Account), module.get(Transactions));
    const { accountId } = await accounts.createAccount({ name: 'Customer', plan: 'scale' }, 'test');
    const { record } = await module
      .get(KeysService)
      .createKey({ accountId, name: 'server', allowedIps: [], allowedRoutes: [] }, 'test');

    const user = { account: { id: accountId } } as ConsoleUser;
    const { clients } = await module.get(ConsoleRateUsageController).rateUsage(user);

    expect(clients).toMatchObject([{ keyId: record.keyId, name: 'server' }]);
    expect(clients[0]?.remaining).toBe(clients[0]?.limit);
  });
});
