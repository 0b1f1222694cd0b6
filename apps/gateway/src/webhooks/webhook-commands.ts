import {
  SetEndpointCommand,
  setEndpointV1,
  WEBHOOK_ACCEPT_STATUSES,
  WEBHOOK_EVENT_KINDS,
  WEBHOOK_RETRY_SCHEDULES,
  type WebhookAcceptStatuses,
  type WebhookEventKind,
  type WebhookRetrySchedule,
} from '@switchboard/contracts';
import { inTransit } from '@switchboard/platform';
import { type Command, Option } from 'commander';
import { AuditedChanges } from '../audit-log/audited-changes';
import { AccountsService } from '../accounts/accounts.service';
import type { ChangeBy } from '../request-context/console-user';
import type { WebhookChanges } from './webhook-changes';
import { accountOption, collect, type Console, wholeNumber } from '../commands/console';
import type { Operator } from '../commands/operator';
import { addWebhookListenCommand } from './webhook-listen-command';
import { addWebhookLogCommands } from './webhook-log-commands';
import { kindOption, settingsOf } from './webhook-options';

interface AddOptions {
  account: string;
  url: string;
  verifyToken: string;
  kind: WebhookEventKind[];
  maxInFlight?: number;
  acceptStatuses?: WebhookAcceptStatuses;
  retrySchedule?: WebhookRetrySchedule;
}

interface ChangeOptions extends Partial<AddOptions> {
  account: string;
  endpoint: string;
  kind: WebhookEventKind[];
  allKinds?: boolean;
}

type EndpointOptions = Record<'account' | 'endpoint', string>;

/** Explanations of `-` in lists. */
const ABSENT = { kinds: '- stands for all kinds', maxInFlight: "- stands for the service's own limit" };

/** Adds the `webhooks` commands for endpoints and the delivery log. */
export function addWebhookCommands(console: Console): void {
  const { operator, command } = console;
  command<Pick<AddOptions, 'account' | 'url' | 'verifyToken'>>(
    'webhooks',
    'set',
    "Verify a URL and set it as the account's first endpoint; its new signing secret is shown once",
    {
      options: (verb) => urlOptions(accountOption(verb)),
      run: (options) => setWebhook(operator, options),
    },
  );
  command<AddOptions>('webhooks', 'add', 'Verify a URL and add it as an endpoint; its signing secret is shown once', {
    options: (verb) => filterOptions(urlOptions(accountOption(verb))),
    run: async ({ account, kind, ...options }) => {
      const { settings, by } = await settingsOf(operator, account);
      const { endpoint, secret } = await settings.createEndpoint(by, { ...options, kinds: kindsOf(kind) });
      return { ...endpoint, secret };
    },
    legend: ABSENT,
  });
  command<ChangeOptions>(
    'webhooks',
    'change',
    'Change an endpoint; absent options stay unchanged; a new URL or token must pass the challenge',
    {
      options: (verb) =>
        filterOptions(
          endpointOption(verb).option('--url <url>', 'new URL').option('--verify-token <token>', 'new verify token'),
        ).option('--all-kinds', 'send events of all kinds'),
      run: async ({ account, endpoint, kind, ...options }) => {
        const { settings, by } = await settingsOf(operator, account);
        return settings.changeEndpoint(by, endpoint, { ...options, kinds: kindsOf(kind) });
      },
      legend: ABSENT,
    },
  );
  addEndpointCommands(console);
  addWebhookLogCommands(console);
  addWebhookListenCommand(console);
}

/** Adds the commands for existing endpoints. */
function addEndpointCommands({ operator, command }: Console): void {
  const onEndpoint = (
    verb: string,
    description: string,
    run: (settings: WebhookChanges, by: ChangeBy, endpoint: string) => Promise<object>,
  ): void =>
    command<EndpointOptions>('webhooks', verb, description, {
      options: endpointOption,
      run: async ({ account, endpoint }) => {
        const { settings, by } = await settingsOf(operator, account);
        return run(settings, by, endpoint);
      },
    });
  command<{ account: string }>('webhooks', 'list', "List an account's endpoints, oldest first", {
    options: accountOption,
    run: async ({ account }) => {
      const { accountId } = await (await operator.get(AccountsService)).requireAccount(account);
      return operator.webhooks.listEndpoints({ accountId });
    },
  });
  onEndpoint('pause', 'Pause an endpoint; its events are queued', (settings, by, endpoint) =>
    settings.switchEndpoint(by, endpoint, 'paused'),
  );
  onEndpoint('enable', 'Resume a paused endpoint', (settings, by, endpoint) =>
    settings.switchEndpoint(by, endpoint, 'enabled'),
  );
  onEndpoint('delete', 'Delete an endpoint; its queued events are dropped', async (settings, by, endpoint) => ({
    endpointId: endpoint,
    dropped: await settings.deleteEndpoint(by, endpoint),
  }));
  onEndpoint(
    'rotate',
    'Rotate the signing secret; the new one is shown once, and both sign for a while',
    (settings, by, endpoint) => settings.rotateSecret(by, endpoint),
  );
  onEndpoint('confirm-rotation', 'Complete a rotation: only the new secret signs', (settings, by, endpoint) =>
    settings.confirmRotation(by, endpoint),
  );
  command<EndpointOptions & { kind: WebhookEventKind }>('webhooks', 'test', 'Send a test event to an endpoint', {
    options: (verb) => endpointOption(verb).addOption(kindOption('kind of the event').default('message')),
    run: async ({ account, endpoint, kind }) => {
      const { settings, by } = await settingsOf(operator, account);
      return { eventId: await settings.sendTestEvent(by, endpoint, kind) };
    },
  });
}

async function setWebhook(
  operator: Operator,
  { account, url, verifyToken }: Pick<AddOptions, 'account' | 'url' | 'verifyToken'>,
): Promise<object> {
  const accounts = await operator.get(AccountsService);
  const changes = await operator.get(AuditedChanges);
  const { accountId } = await accounts.requireAccount(account);
  const box = operator.secretBox();
  const sealedVerifyToken = box.seal(verifyToken, inTransit(setEndpointV1, 'sealedVerifyToken', accountId));
  const entry = { actor: operator.actor, action: 'webhook.set', accountId, target: accountId, details: { url } };
  const {
    id: endpointId,
    sealedSecret,
    url: savedUrl,
  } = await changes.request(entry, SetEndpointCommand, { url, sealedVerifyToken }, (command) =>
    operator.webhooks.setEndpoint(command),
  );
  return {
    id: endpointId,
    endpointId,
    accountId,
    url: savedUrl,
    secret: box.open(sealedSecret, inTransit(setEndpointV1, 'sealedSecret', accountId)),
  };
}

function kindsOf(kinds: WebhookEventKind[]): WebhookEventKind[] | undefined {
  return kinds.length > 0 ? kinds : undefined;
}

function endpointOption(verb: Command): Command {
  return accountOption(verb).requiredOption('--endpoint <id>', 'endpoint ID (webhooks list)');
}

function urlOptions(verb: Command): Command {
  return verb
    .requiredOption('--url <url>', 'https URL that responds to the verification challenge')
    .requiredOption('--verify-token <token>', 'verify token of the endpoint');
}

function filterOptions(verb: Command): Command {
  return verb
    .addOption(
      new Option(
        '--kind <kind>',
        `kind of events to send (${WEBHOOK_EVENT_KINDS.join(', ')}); repeatable; defaults to all`,
      )
        .argParser(collect)
        .default([]),
    )
    .option('--max-in-flight <n>', 'maximum concurrent requests', wholeNumber(1, 100))
    .addOption(
      new Option('--accept-statuses <which>', 'successful response statuses: only 200, or any 2xx').choices(
        WEBHOOK_ACCEPT_STATUSES,
      ),
    )
    .addOption(
      new Option(
        '--retry-schedule <which>',
        'standard: five attempts within 36 minutes; extended: five more within three days',
      ).choices(WEBHOOK_RETRY_SCHEDULES),
    );
}
