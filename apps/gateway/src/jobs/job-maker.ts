import type { CreatedJob, CreateExcelJobCommand, CreateJobCommand } from '@switchboard/contracts';
import type { Plan } from '../request-context/plan';
import type { NewIdFunction } from '../idempotency/derived-ids';

/** For whom a bulk job is made, and how its id is. */
export interface JobMaker {
  account: { id: string };
  plan: Plan;
  newId: NewIdFunction;
  /** Notes the making around it, where the audit log has it. */
  noted?: (command: CreateJobCommand | CreateExcelJobCommand, make: () => Promise<CreatedJob>) => Promise<CreatedJob>;
}
