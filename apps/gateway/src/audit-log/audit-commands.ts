import { DataSource } from 'typeorm';
import { listAudit } from './audit-log';
import { type Console, type Paging, paging } from '../commands/console';

export function addAuditCommands({ operator, command }: Console): void {
  command<Paging & { account?: string; action?: string }>('audit', 'list', 'List the audit log, newest entry first', {
    options: (verb) =>
      paging(
        verb
          .option('--account <id>', 'only this account ID')
          .option('--action <action>', 'only this action, such as key.revoke'),
      ),
    run: async ({ account: accountId, action, limit, cursor }) => {
      const dataSource = await operator.get(DataSource);
      return listAudit(dataSource, { accountId, action, limit, before: cursor });
    },
  });
}
