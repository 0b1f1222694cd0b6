import { messageEntities } from '@switchboard/database';
import { Job } from './jobs/job.entity';
import { StagedRows } from './jobs/staged-rows.entity';
import { Recipient } from './jobs/recipient.entity';
import { Lane } from './release/lane.entity';

export const entities = [...messageEntities, Job, Lane, Recipient, StagedRows];
