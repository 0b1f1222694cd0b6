import { ArrayMaxSize, ArrayMinSize, IsInt, IsString, Min } from 'class-validator';
import { AreJobRows, JOB_ROWS_MAX, type JobRow } from '../job-rows';
import { command, ROWS_COMMAND_BYTES } from '../message-contract';

export class StageJobRowsCommand {
  @IsString() accountId: string;
  /** The job that is to be made of these rows. */
  @IsString() jobId: string;
  /** From 0; the same part again changes nothing. */
  @IsInt() @Min(0) part: number;
  @ArrayMinSize(1) @ArrayMaxSize(JOB_ROWS_MAX) @AreJobRows() rows: JobRow[];
}

export class StageJobRowsReply {
  @IsInt() part: number;
}

export const stageJobRowsV1 = command({
  name: 'jobs.stage-rows.v1',
  owner: 'jobs',
  description: 'Keeps a part of a long list of recipients until `jobs.create-job.v1` makes a job of all parts, an hour at most.',
  request: StageJobRowsCommand,
  response: StageJobRowsReply,
  changes: false,
  timeoutMs: 15_000,
  maxBytes: ROWS_COMMAND_BYTES,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      jobId: 'job_01jd0000000000000000000000',
      part: 0,
      rows: [{ position: 0, phone: '919812345678', variables: ['A-17'], clientRef: 'order-7781' }],
    },
    response: { part: 0 },
  },
});
