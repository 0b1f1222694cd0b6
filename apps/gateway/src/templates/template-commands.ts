import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import {
  AppError,
  parseBody,
  SearchTemplatesCommand,
  TEMPLATE_CATEGORIES,
  TEMPLATE_STATUSES,
  type TemplateDraftRecord,
  type TemplateSyncRecord,
} from '@switchboard/contracts';
import { type Command, Option } from 'commander';
import { AuditedChanges } from '../audit-log/audited-changes';
import { AccountsService } from '../accounts/accounts.service';
import type { ChangeBy } from '../request-context/console-user';
import { NewTemplateDraftBody, TemplateDraftChangeBody } from './template.bodies';
import { TemplateChanges } from './template-changes';
import { accountOption, type Console, type Paging, paging } from '../commands/console';
import type { Operator } from '../commands/operator';
import { Unfinished } from '../commands/unfinished';

const POLL_MS = 500;
/** Maximum time that a command waits for background work, in milliseconds. */
const PATIENCE_MS = 60_000;

interface ListOptions extends Paging {
  account: string;
  status?: string;
  name?: string;
  language?: string;
  category?: string;
}

type TemplateOptions = Record<'account' | 'template', string>;

/** Adds the `templates` commands for templates at the upstream platform. */
export function addTemplateCommands({ operator, command, note }: Console): void {
  command<ListOptions>('templates', 'list', "List an account's templates, by name and language", {
    options: filterOptions,
    run: async ({ account, ...filter }) => {
      const { by } = await settingsOf(operator, account);
      const { templates, nextCursor } = await operator.templates.searchTemplates(
        parseBody(SearchTemplatesCommand, { ...filter, accountId: by.accountId }),
      );
      const rows = templates.map(({ id, name, language, category, status, upstreamStatus, reason }) => ({
        id,
        name,
        language,
        category,
        status,
        upstreamStatus,
        reason,
      }));
      return { templates: rows, nextCursor };
    },
  });
  command<TemplateOptions>('templates', 'show', 'Show a template and its latest events', {
    options: templateOption,
    run: async ({ account, template: templateId }) => {
      const { accountId } = (await settingsOf(operator, account)).by;
      const { template } = await operator.templates.showTemplate({ accountId, templateId });
      return {
        ...template,
        events: (await operator.templates.listTemplateEvents({ accountId, templateId, limit: 20 })).events,
      };
    },
  });
  command<{ account: string; file: string; template?: string }>(
    'templates',
    'submit',
    'Submit a template from a JSON file for review by the upstream platform',
    {
      options: (verb) =>
        accountOption(verb)
          .requiredOption(
            '--file <path>',
            'JSON with name, language, category, components, and optionally ttlSeconds and wabaId; for a change, only the changed fields',
          )
          .option('--template <id>', 'ID of the template to change (templates list); creates a new one when absent'),
      run: async ({ account, file, template }) => {
        const { settings, by } = await settingsOf(operator, account);
        const content = await readJson(file);
        if (template !== undefined) {
          const change = parseBody(TemplateDraftChangeBody, content);
          const { id } = await settings.editTemplate(by, template);
          await settings.changeDraft(by, id, change);
          return submitDraft({ settings, by }, operator, id);
        }
        const { id } = await settings.createDraft(by, parseBody(NewTemplateDraftBody, content));
        try {
          return await submitDraft({ settings, by }, operator, id);
        } catch (error) {
          // The operator corrects the file, so the rejected draft is deleted.
          if (error instanceof AppError && error.code === 'INVALID_VALUE') await settings.deleteDraft(by, id);
          throw error;
        }
      },
    },
  );
  command<TemplateOptions>('templates', 'delete', 'Delete one language of a template at the upstream platform', {
    options: templateOption,
    legend: { otherAccounts: 'number of other accounts of the business, which lose the template, too' },
    run: async ({ account, template }) => {
      const { settings, by } = await settingsOf(operator, account);
      const otherAccounts = await settings.deleteTemplate(by, template);
      return { templateId: template, otherAccounts };
    },
  });
  command<{ account: string }>(
    'templates',
    'sync',
    "Sync all of an account's templates from the upstream platform now",
    {
      options: accountOption,
      run: async ({ account }) => {
        const { settings, by } = await settingsOf(operator, account);
        const told = new Map<string, string>();
        const look = async (): Promise<TemplateSyncRecord[]> => {
          const { businesses } = await operator.templates.getSync({ accountId: by.accountId });
          for (const { wabaId, state, pagesRead, templatesRead } of businesses) {
            const line = `${wabaId}: ${state}, ${pagesRead} pages, ${templatesRead} templates\n`;
            if (told.get(wabaId) !== line) note(line);
            told.set(wabaId, line);
          }
          return businesses;
        };
        const businesses = await untilOver(await settings.requestSync(by), (all) => all.some(isUnderWay), look);
        requireRead(businesses);
        return { businesses };
      },
    },
  );
}

const isUnderWay = ({ state }: TemplateSyncRecord): boolean => state === 'waiting' || state === 'reading';

/** @throws Unfinished if a business could not be synced, or the sync exceeds the time that the command waits */
function requireRead(businesses: TemplateSyncRecord[]): void {
  const failed = businesses.filter(({ state }) => state === 'failed').map(({ wabaId }) => wabaId);
  if (failed.length > 0)
    throw new Unfinished('UPSTREAM_ERROR', `these businesses could not be read: ${failed.join(', ')}`, { businesses });
  if (businesses.some(isUnderWay))
    throw new Unfinished('UNAVAILABLE', 'the reading goes on; the templates appear in templates list', { businesses });
}

async function submitDraft(
  { settings, by }: { settings: TemplateChanges; by: ChangeBy },
  operator: Operator,
  draftId: string,
): Promise<object> {
  const begun = await settings.submitDraft(by, draftId);
  const look = async (): Promise<TemplateDraftRecord> =>
    (await operator.templates.getDraft({ accountId: by.accountId, draftId })).draft;
  const { templateId, state, problem } = await untilOver(begun, (draft) => draft.state === 'submitting', look);
  const result = { draftId, templateId, state, problem };
  if (state === 'refused') throw new Unfinished('UPSTREAM_ERROR', 'the upstream platform refused it', result);
  if (state === 'submitting')
    throw new Unfinished('UNAVAILABLE', 'the submission goes on; templates list shows when it is done', result);
  return result;
}

/** Polls until the work is complete or the wait is over. The work continues nevertheless. */
export async function untilOver<T>(
  begun: T,
  isUnderWay: (state: T) => boolean,
  look: () => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const endsAt = performance.now() + patienceMs;
  let state = begun;
  while (isUnderWay(state) && performance.now() < endsAt) {
    await delay(POLL_MS);
    state = await look();
  }
  return state;
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new AppError('FILE_INVALID', {
      message: `${file} cannot be read as JSON: ${error instanceof Error ? error.message : String(error)}`,
      cause: error,
    });
  }
}

async function settingsOf(operator: Operator, account: string): Promise<{ settings: TemplateChanges; by: ChangeBy }> {
  const accounts = await operator.get(AccountsService);
  const changes = await operator.get(AuditedChanges);
  const { accountId } = await accounts.requireAccount(account);
  return {
    settings: new TemplateChanges(operator.messaging, operator.templates, changes),
    by: { accountId, actor: operator.actor },
  };
}

function filterOptions(verb: Command): Command {
  return paging(accountOption(verb))
    .addOption(new Option('--status <status>', 'only this status').choices(TEMPLATE_STATUSES))
    .option('--name <beginning>', 'only names with this prefix')
    .option('--language <code>', 'only this language')
    .addOption(new Option('--category <category>', 'only this category').choices(TEMPLATE_CATEGORIES));
}

function templateOption(verb: Command): Command {
  return accountOption(verb).requiredOption('--template <id>', 'template ID (templates list)');
}
