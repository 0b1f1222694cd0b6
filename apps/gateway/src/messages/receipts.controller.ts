import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ReceiptAnswer } from '@switchboard/contracts';
import { type ApiClient, Client } from '../request-context/client';
import { ApiAnswer, ApiRefusals, type Success } from '../openapi/decorators';
import { ApiReceivedMessage, RECEIPT_ERRORS } from './receipts';
import { ReceiptsService } from './receipts.service';

@ApiTags('Messages')
@ApiBearerAuth()
@Controller('v1/messages')
export class ReceiptsController {
  constructor(private readonly receipts: ReceiptsService) {}

  @Post(':id/read')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'markMessageRead',
    summary: 'Mark a received message as read',
    description:
      "Shows the customer that you have read this message and all earlier messages of the chat. Also removes these messages from the conversation's unread count. Counts as one request, but not as a message. Safe to repeat.",
  })
  @ApiReceivedMessage()
  @ApiAnswer(ReceiptAnswer)
  @ApiRefusals(...RECEIPT_ERRORS)
  async read(@Client() { account }: ApiClient, @Param('id') id: string): Promise<Success<ReceiptAnswer>> {
    return { success: true, ...(await this.receipts.markRead({ accountId: account.id }, { id })) };
  }

  @Post(':id/typing')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'showTyping',
    summary: 'Show a typing indicator to the sender of a message',
    description:
      'The indicator is visible to the customer for 25 seconds or until your next message. Also marks the message as read. Counts as one request, but not as a message.',
  })
  @ApiReceivedMessage()
  @ApiAnswer(ReceiptAnswer)
  @ApiRefusals(...RECEIPT_ERRORS)
  async typing(@Client() { account }: ApiClient, @Param('id') id: string): Promise<Success<ReceiptAnswer>> {
    return { success: true, ...(await this.receipts.markRead({ accountId: account.id }, { id, typing: true })) };
  }
}
