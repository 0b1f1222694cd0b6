import { messageEntities } from '@switchboard/database';
import { Job } from './jobs/job.entity';
import { JobMedia } from './jobs/job-media.entity';
import { JobNumber } from './jobs/job-number.entity';
import { JobRegion } from './quiet/job-region.entity';
import { StagedRows } from './jobs/staged-rows.entity';
import { Recipient } from './jobs/recipient.entity';
import { Lane } from './release/lane.entity';

export const entities = [...messageEntities, Job, JobMedia, JobNumber, JobRegion, Lane, Recipient, StagedRows];
