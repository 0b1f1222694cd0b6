import type { CreatedJob, CreateExcelJobCommand, CreateJobCommand } from '@switchboard/contracts';
import type { Plan } from '../request-context/plan';
import type { NewIdFunction } from '../idempotency/derived-ids';

/** Owner of a new bulk job, and the source of its id. */
export interface JobMaker {
  account: { id: string };
  plan: Plan;
  newId: NewIdFunction;
  /** Wraps the creation with an audit log entry, if it needs one. */
  noted?: (command: CreateJobCommand | CreateExcelJobCommand, make: () => Promise<CreatedJob>) => Promise<CreatedJob>;
}
