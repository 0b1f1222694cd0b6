import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CONFIG } from '@switchboard/platform';
import { MessagingClient } from '@switchboard/service-clients';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Roles } from '../decorators/roles.decorator';
import { Download } from '../rate-limits/read-limiter';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';
import type { GatewayConfig } from '../config';
import { csvLines, EXPORT_MOST_ROWS, EXPORT_PAGE_ROWS, sendCsv } from '../pagination/csv-export';
import { ApiFilter, ApiRefusals } from '../openapi/decorators';
import { csvLine } from '../pagination/safe-cell';
import { ApiMessageFilters, MessageFilters } from '../messages/message-list';
import { messageItem } from '../messages/message-record';
import { MessagesService } from '../messages/messages.service';
import { ContactFilters, FRAGMENT, FRAGMENT_SCHEMA } from '../contacts/contact-item';
import { CONTACT_COLUMNS, contactRow, MESSAGE_COLUMNS, messageRow } from './export-rows';

const CSV = 'text/csv';
const FILE = { [CSV]: { schema: { type: 'string' as const, format: 'binary' } } };
const ABOUT = `The newest ${EXPORT_MOST_ROWS.toLocaleString('en')} entries, streamed. Text that a spreadsheet program would interpret as a formula is prefixed with an apostrophe.`;

@ApiTags('Exports')
@Controller('console/v1/exports')
export class ConsoleExportsController {
  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly messaging: MessagingClient,
    private readonly messages: MessagesService,
  ) {}

  @Get('messages.csv')
  @Download()
  @Roles('viewer')
  @ApiOperation({
    operationId: 'exportMessages',
    summary: 'Download messages as CSV',
    description: ABOUT,
  })
  @ApiMessageFilters()
  @ApiProduces(CSV)
  @ApiResponse({ status: 200, description: 'The file, in UTF-8', content: FILE })
  @ApiRefusals('INVALID_PARAMETER', 'INVALID_PHONE', 'INVALID_VALUE')
  async exportMessages(
    @SignedIn() { account }: ConsoleUser,
    @Query() filters: MessageFilters,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const lines = await csvLines(
      async (cursor) => {
        const wanted = { ...filters, page: 1, limit: EXPORT_PAGE_ROWS, cursor };
        const { messages, nextCursor } = await this.messages.list(account.id, wanted);
        return { rows: messages, nextCursor: nextCursor ?? null };
      },
      (message) => csvLine(messageRow(messageItem(message, this.config.PUBLIC_BASE_URL))),
    );
    await sendCsv({ head: csvLine(MESSAGE_COLUMNS), lines, filename: 'messages.csv' }, { request, reply });
  }

  @Get('contacts.csv')
  @Download()
  @Roles('viewer')
  @ApiOperation({
    operationId: 'exportContacts',
    summary: 'Download contacts as CSV',
    description: ABOUT,
  })
  @ApiFilter('search', FRAGMENT_SCHEMA, FRAGMENT)
  @ApiFilter('optedOut', { type: 'boolean' })
  @ApiProduces(CSV)
  @ApiResponse({ status: 200, description: 'The file, in UTF-8', content: FILE })
  @ApiRefusals('INVALID_VALUE')
  async exportContacts(
    @SignedIn() { account }: ConsoleUser,
    @Query() filters: ContactFilters,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const lines = await csvLines(
      async (cursor) => {
        const wanted = { ...filters, accountId: account.id, page: 1, limit: EXPORT_PAGE_ROWS, cursor };
        const { contacts, nextCursor } = await this.messaging.listContacts(wanted);
        return { rows: contacts, nextCursor: nextCursor ?? null };
      },
      (contact) => csvLine(contactRow(contact)),
    );
    await sendCsv({ head: csvLine(CONTACT_COLUMNS), lines, filename: 'contacts.csv' }, { request, reply });
  }
}
