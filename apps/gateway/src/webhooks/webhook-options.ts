import { WEBHOOK_EVENT_KINDS } from '@switchboard/contracts';
import { Option } from 'commander';
import { AuditedChanges } from '../audit-log/audited-changes';
import { AccountsService } from '../accounts/accounts.service';
import type { ChangeBy } from '../request-context/console-user';
import { WebhookChanges } from './webhook-changes';
import type { Operator } from '../commands/operator';

/** @throws AppError NOT_FOUND for an unknown account */
export async function settingsOf(
  operator: Operator,
  account: string,
): Promise<{ settings: WebhookChanges; by: ChangeBy }> {
  const accounts = await operator.get(AccountsService);
  const changes = await operator.get(AuditedChanges);
  const { accountId } = await accounts.requireAccount(account);
  return {
    settings: new WebhookChanges(operator.webhooks, changes, operator.secretBox()),
    by: { accountId, actor: operator.actor },
  };
}

export function kindOption(description: string): Option {
  return new Option('--kind <kind>', description).choices(WEBHOOK_EVENT_KINDS);
}
