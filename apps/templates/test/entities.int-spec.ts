import { createTestDatabase, schemaDifferences, type TestDatabase } from '@switchboard/testing';
import { entities } from '../src/entities';
import { migrations } from '../src/migrations';

describe('entities', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('templates', migrations, entities);
  });
  afterAll(() => database.drop());

  it('match the columns of the migrated schema', async () => {
    expect(await schemaDifferences(database.dataSource)).toEqual([]);
  });
});
