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

/** Adds the `plans` commands. */
export function addPlanCommands({ operator, command }: Console): void {
  command('plans', 'list', 'List all plans', {
    options: (verb) => verb,
    run: async () => ({ plans: await (await operator.get(PlansService)).listPlans() }),
  });
  command<SetOptions>('plans', 'set', 'Change a plan or make a new one; what is not given stays', {
    options: (verb) =>
      verb
        .requiredOption('--name <plan>', 'the plan')
        .option('--bulk-recipients <n>', 'recipients per bulk call', wholeNumber(0))
        .option('--excel-rows <n>', 'rows per spreadsheet, at most 100000', wholeNumber(0, 100_000))
        .option('--rate-limit <n>', 'requests per window and key', wholeNumber(1))
        .option('--rate-window <seconds>', 'length of the window', wholeNumber(1))
        .option('--rate-burst <n>', 'requests at once; as many as the limit when never given', wholeNumber(1))
        .option('--monthly-credits <n>', 'utility credits per month', wholeNumber(0))
        .option(
          '--feature <feature>',
          `a feature (${PLAN_FEATURES.join(', ')}); can be repeated; the given ones replace the old`,
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
