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
      'The customer sees the message, and the older ones of the chat, as read; the conversation counts none of them as unread any more. Costs one request and no message. A repeat does nothing again.',
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
    summary: 'Show the sender of a message that you are writing an answer',
    description:
      'The customer sees it for 25 seconds, or until your next message. It marks the message as read, too. Costs one request and no message.',
  })
  @ApiReceivedMessage()
  @ApiAnswer(ReceiptAnswer)
  @ApiRefusals(...RECEIPT_ERRORS)
  async typing(@Client() { account }: ApiClient, @Param('id') id: string): Promise<Success<ReceiptAnswer>> {
    return { success: true, ...(await this.receipts.markRead({ accountId: account.id }, { id, typing: true })) };
  }
}
