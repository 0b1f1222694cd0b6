import type {
  CreateAudienceJobCommand,
  CreatedJob,
  CreateExcelJobCommand,
  NewJobCommand,
} from '@switchboard/contracts';
import type { Plan } from '../request-context/plan';
import type { NewIdFunction } from '../idempotency/derived-ids';

/** Command that creates a job from a list, contacts or a spreadsheet. */
export type AnyNewJob = NewJobCommand | CreateAudienceJobCommand | CreateExcelJobCommand;

/** Owner of a new bulk job, and the source of the job's id. */
export interface JobMaker {
  account: { id: string };
  plan: Plan;
  newId: NewIdFunction;
  /** Wraps the creation of the job in an audit log entry, for users. */
  noted?: (command: AnyNewJob, make: () => Promise<CreatedJob>) => Promise<CreatedJob>;
}
