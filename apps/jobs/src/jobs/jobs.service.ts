import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { AppError, type JobRecord } from '@switchboard/contracts';
import { Repository } from 'typeorm';
import { JobEntity } from './job.entity';

/** A job's id as `newId` makes it; no other text is worth a query, and some (NUL) PostgreSQL would refuse. */
const JOB_ID = /^job_[0-9a-hjkmnp-tv-z]{26}$/;

@Injectable()
export class JobsService {
  constructor(@InjectRepository(JobEntity) private readonly jobs: Repository<JobEntity>) {}

  /**
   * One job of the account.
   * @throws AppError NOT_FOUND alike for an unknown id and for another account's job (decisions 2)
   */
  async getJob(accountId: string, jobId: string): Promise<JobRecord> {
    const job = JOB_ID.test(jobId) ? await this.jobs.findOneBy({ accountId, id: jobId }) : null;
    if (!job) throw new AppError('NOT_FOUND');
    return toRecord(job);
  }
}

function toRecord({ id, type, status, template, total, createdAt }: JobEntity): JobRecord {
  return { jobId: id, type, status, template, total, createdAt: createdAt.toISOString() };
}
