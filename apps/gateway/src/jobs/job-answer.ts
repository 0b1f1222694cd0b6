import type { CreatedJob, JobEstimate } from '@switchboard/contracts';
import type { FastifyReply } from 'fastify';
import type { Success } from '../openapi/decorators';

/** Builds the response to a request for a job: 201 for a new job, 200 for the estimate of a dry run. */
export function jobAnswer(result: CreatedJob | JobEstimate, reply: FastifyReply): Success<CreatedJob | JobEstimate> {
  if ('dryRun' in result) reply.status(200);
  return { success: true, ...result };
}
