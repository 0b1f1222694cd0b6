import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type Delivery, CommandHandler } from '@switchboard/broker';
import {
  createCappedExcelJobV1,
  CreateExcelJobCommand,
  createExcelJobV1,
  createHeldExcelJobV1,
  type CreatedJob,
  EstimateExcelJobCommand,
  estimateExcelJobV1,
  type JobEstimate,
} from '@switchboard/contracts';
import { ExcelJobsService } from './excel-jobs.service';

@Controller()
export class SheetsController {
  constructor(private readonly excelJobs: ExcelJobsService) {}

  @CommandHandler(createExcelJobV1)
  createExcelJob(@Payload() command: CreateExcelJobCommand, @Ctx() { deadline }: Delivery): Promise<CreatedJob> {
    return this.excelJobs.createExcelJob(command, deadline);
  }

  @CommandHandler(createHeldExcelJobV1)
  createHeldExcelJob(@Payload() command: CreateExcelJobCommand, @Ctx() delivery: Delivery): Promise<CreatedJob> {
    return this.createExcelJob({ ...command, hold: true }, delivery);
  }

  @CommandHandler(estimateExcelJobV1)
  estimateExcelJob(@Payload() command: EstimateExcelJobCommand, @Ctx() { deadline }: Delivery): Promise<JobEstimate> {
    return this.excelJobs.estimateExcelJob(command, deadline);
  }

  @CommandHandler(createCappedExcelJobV1)
  createCappedExcelJob(@Payload() command: CreateExcelJobCommand, @Ctx() delivery: Delivery): Promise<CreatedJob> {
    return this.createExcelJob(command, delivery);
  }
}
