import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CreatedJob, JobEstimate } from '@switchboard/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiClient, Client } from '../request-context/client';
import { RequireFeature } from '../decorators/require-feature.decorator';
import { TakesForms } from '../http/form-parser';
import { requireForm } from '../http/form-reader';
import type { NewIdFunction } from '../idempotency/derived-ids';
import { NewId } from '../idempotency/new-id';
import { ApiAnswers, ApiBodies, ApiRefusals, type Success } from '../openapi/decorators';
import { EXCEL_ERRORS } from './bulk-errors';
import { ExcelService } from './excel.service';
import { COLUMNS_TABLE } from './columns-table';
import { SendBulkExcelUpload } from './excel-fields';
import { jobAnswer } from './job-answer';

const DESCRIPTION = `Sends a template to the numbers and user ids in the column \`phone\` of the first visible sheet of an .xlsx file, or of a .csv file. A column \`user id\` may contain the user ids instead. Each variable of the template has a column, and each row has the values for one recipient. The value of the column \`clientRef\` is stored with the message. Other columns are ignored.

${COLUMNS_TABLE}

\`GET /v1/jobs/sample.xlsx\` returns a spreadsheet with these columns to fill in. A spreadsheet is rejected if it lacks a required column, or has a column for a variable that is not in the template. The error message names the column. A row is rejected if its number or values are invalid. The error has the row number as \`index\`, and valid rows are not affected. With \`hold\`, the job waits until you resume it, so that you can review its rows and errors first. With \`dryRun\`, no job is created. The response is then 200 with the expected price, failures and duration. \`sheet\` reports the detected format of the file. \`warnings\` lists unexpected content: hidden rows, number formats that are not applied, or an encoding other than UTF-8.`;

@ApiTags('Jobs')
@ApiBearerAuth()
@Controller('v1/messages/send/bulk')
export class ExcelController {
  constructor(private readonly excel: ExcelService) {}

  @Post('excel')
  @HttpCode(201)
  @TakesForms()
  @RequireFeature('BULK_EXCEL')
  @ApiOperation({
    operationId: 'sendBulkExcel',
    summary: 'Send a template to the recipients in a spreadsheet',
    description: DESCRIPTION,
  })
  @ApiBodies({ multipart: SendBulkExcelUpload })
  @ApiAnswers({ 201: CreatedJob, 200: JobEstimate })
  @ApiRefusals(...EXCEL_ERRORS)
  async send(
    @Req() request: FastifyRequest,
    @Client() client: ApiClient,
    @NewId() newId: NewIdFunction,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Success<CreatedJob | JobEstimate>> {
    requireForm(request);
    return jobAnswer(await this.excel.createJob(request, { ...client, newId }), reply);
  }
}
