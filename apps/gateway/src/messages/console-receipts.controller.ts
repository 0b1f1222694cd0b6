import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ReceiptAnswer } from '@switchboard/contracts';
import { Roles } from '../decorators/roles.decorator';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { requireId } from '../http/path-ids';
import { ApiAnswer, ApiRefusals, type Success } from '../openapi/decorators';
import { RECEIPT_ERRORS } from './receipts';
import { ReceiptsService } from './receipts.service';

@ApiTags('Messages')
@Controller('console/v1/messages')
export class ConsoleReceiptsController {
  constructor(private readonly receipts: ReceiptsService) {}

  @Post(':id/read')
  @HttpCode(200)
  @Roles('agent')
  @ApiOperation({
    operationId: 'markMessageRead',
    summary: 'Mark a received message as read',
    description:
      'Shows the message as read to the customer. This cannot be undone, so the dashboard does it only on request.',
  })
  @ApiAnswer(ReceiptAnswer)
  @ApiRefusals(...RECEIPT_ERRORS)
  async read(@SignedIn() user: ConsoleUser, @Param('id') given: string): Promise<Success<ReceiptAnswer>> {
    // Rejects upstream ids, which contain the customer's number; the audit log must not contain it.
    const id = requireId('msg', given);
    return { success: true, ...(await this.receipts.markRead(changeBy(user), { id })) };
  }
}
