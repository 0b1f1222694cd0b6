import {
  ControlJobCommand,
  JOB_ACTIONS,
  JOB_STATUSES,
  type JobAction,
  ListJobsCommand,
  parseBody,
} from '@switchboard/contracts';
import { type Command, Option } from 'commander';
import { AuditedChanges } from '../audit-log/audited-changes';
import { AccountsService } from '../accounts/accounts.service';
import { type Console, type Paging, wholeNumber } from '../commands/console';

interface JobOptions {
  account: string;
  job: string;
}

const DESCRIPTIONS: Record<JobAction, string> = {
  pause: 'Pause a job; no further recipients are sent to',
  resume: 'Resume a paused job',
  cancel: 'Cancel a job; recipients not sent to yet are skipped',
};

/** Adds the `jobs` commands, which show and control bulk jobs. */
export function addJobCommands({ operator, command }: Console): void {
  const accountOption = (verb: Command): Command => verb.requiredOption('--account <id>', 'account ID');
  const jobOptions = (verb: Command): Command => accountOption(verb).requiredOption('--job <id>', 'job ID');

  command<Paging & { account: string; status?: string; search?: string }>(
    'jobs',
    'list',
    "List an account's bulk jobs, newest first",
    {
      options: (verb) =>
        accountOption(verb)
          .option('--limit <n>', 'number of entries, at most 100', wholeNumber(1, 100), 20)
          .option('--cursor <cursor>', 'nextCursor of the previous page')
          .option('--search <text>', 'only jobs whose name, or whose template name, contains the text')
          .addOption(new Option('--status <status>', 'only jobs with this status').choices(JOB_STATUSES)),
      run: async ({ account, limit, cursor, status, search }) => {
        const { accountId } = await (await operator.get(AccountsService)).requireAccount(account);
        const { jobs, nextCursor } = await operator.jobs.listJobs(
          parseBody(ListJobsCommand, { accountId, page: 1, limit, cursor, status, search }),
        );
        // Omits fields that `jobs show` prints, so that a line fits the terminal.
        const rows = jobs.map(({ jobId, name = null, status, pauseReason, template, total, failed, createdAt }) => ({
          jobId,
          name,
          status,
          pauseReason,
          template,
          total,
          failed,
          createdAt,
        }));
        return { jobs: rows, nextCursor };
      },
    },
  );
  command<JobOptions>('jobs', 'show', 'Show the progress of a bulk job', {
    options: jobOptions,
    run: async ({ account, job: jobId }) => {
      const { accountId } = await (await operator.get(AccountsService)).requireAccount(account);
      return (await operator.jobs.getJob({ accountId, jobId })).job;
    },
  });
  for (const action of JOB_ACTIONS) {
    command<JobOptions>('jobs', action, DESCRIPTIONS[action], {
      options: jobOptions,
      run: async ({ account, job: jobId }) => {
        const accounts = await operator.get(AccountsService);
        const changes = await operator.get(AuditedChanges);
        const { accountId } = await accounts.requireAccount(account);
        const entry = { accountId, actor: operator.actor, action: `job.${action}`, target: jobId };
        const { job } = await changes.request(entry, ControlJobCommand, { jobId, action }, (command) =>
          operator.jobs.controlJob(command),
        );
        return job;
      },
    });
  }
}
