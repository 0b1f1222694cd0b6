import { PlansService } from './plans.service';
import { PLAN_FEATURES } from '../request-context/plan';
import { collect, type Console, wholeNumber } from '../commands/console';

interface SetOptions {
  name: string;
  bulkRecipients?: number;
  excelRows?: number;
  rateLimit?: number;
  rateWindow?: number;
  rateBurst?: number;
  monthlyCredits?: number;
  feature: string[];
}

export function addPlanCommands({ operator, command }: Console): void {
  command('plans', 'list', 'List all plans', {
    options: (verb) => verb,
    run: async () => ({ plans: await (await operator.get(PlansService)).listPlans() }),
  });
  command<SetOptions>('plans', 'set', 'Change or create a plan; absent options stay unchanged', {
    options: (verb) =>
      verb
        .requiredOption('--name <plan>', 'plan name')
        .option('--bulk-recipients <n>', 'recipients per bulk call', wholeNumber(0))
        .option('--excel-rows <n>', 'rows per spreadsheet, at most 100000', wholeNumber(0, 100_000))
        .option('--rate-limit <n>', 'requests per window and API key', wholeNumber(1))
        .option('--rate-window <seconds>', 'length of the window in seconds', wholeNumber(1))
        .option('--rate-burst <n>', 'maximum burst of requests; defaults to the rate limit', wholeNumber(1))
        .option('--monthly-credits <n>', 'utility credits per month', wholeNumber(0))
        .option(
          '--feature <feature>',
          `feature (${PLAN_FEATURES.join(', ')}); repeatable; replaces the current list`,
          collect,
          [],
        ),
    run: async ({ name, rateWindow, feature, ...figures }) => {
      const features = feature.length > 0 ? feature : undefined;
      const change = { ...figures, rateWindowSeconds: rateWindow, features };
      return { ...(await (await operator.get(PlansService)).setPlan(name, change, operator.actor)) };
    },
  });
}
