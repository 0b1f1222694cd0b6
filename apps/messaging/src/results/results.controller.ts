import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import { GetResultsCommand, type GetResultsReply, getResultsV1 } from '@switchboard/contracts';
import { ResultsService } from './results.service';

@Controller()
export class ResultsController {
  constructor(private readonly results: ResultsService) {}

  @CommandHandler(getResultsV1)
  getResults(@Payload() command: GetResultsCommand): Promise<GetResultsReply> {
    return this.results.resultsOf(command);
  }
}
