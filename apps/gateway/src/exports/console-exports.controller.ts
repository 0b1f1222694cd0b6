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
import { FRAGMENT_SCHEMA } from '../pagination/query-rules';
import { csvLine } from '../pagination/safe-cell';
import { ApiMessageFilters, MessageFilters } from '../messages/message-list';
import { MessageAuthors } from '../messages/message-authors';
import { messageItem } from '../messages/message-record';
import { MessagesService } from '../messages/messages.service';
import { ContactFilters, FRAGMENT, LABEL_FILTER, LABEL_SCHEMA } from '../contacts/contact-item';
import {
  ACTIVITY_COLUMNS,
  activityRow,
  AUTHOR_COLUMNS,
  CONTACT_COLUMNS,
  contactRow,
  LABEL_COLUMNS,
  MESSAGE_COLUMNS,
  messageRow,
  NOTE_COLUMNS,
  noteRow,
  OPT_OUT_COLUMNS,
  QUEUE_COLUMNS,
} from './export-rows';

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
    private readonly authors: MessageAuthors,
  ) {}

  @Get('messages.csv')
  @Download()
  @Roles('viewer', { except: 'agent' })
  @ApiOperation({
    operationId: 'exportMessages',
    summary: 'Download messages as CSV',
    description: ABOUT,
  })
  @ApiMessageFilters()
  @ApiProduces(CSV)
  @ApiResponse({ status: 200, description: 'The file, in UTF-8', content: FILE })
  @ApiRefusals('INVALID_PARAMETER', 'INVALID_PHONE', 'INVALID_VALUE', 'ROLE_NOT_ALLOWED')
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
        const authors = await this.authors.of(account.id, messages);
        const rows = messages.map((message, index) => ({ message, author: authors[index] }));
        return { rows, nextCursor: nextCursor ?? null };
      },
      ({ message, author }) => csvLine(messageRow(messageItem(message, this.config.PUBLIC_BASE_URL), author)),
    );
    await sendCsv(
      { head: csvLine([...MESSAGE_COLUMNS, ...AUTHOR_COLUMNS]), lines, filename: 'messages.csv' },
      { request, reply },
    );
  }

  @Get('contacts.csv')
  @Download()
  @Roles('viewer', { except: 'agent' })
  @ApiOperation({
    operationId: 'exportContacts',
    summary: 'Download contacts as CSV',
    description: ABOUT,
  })
  @ApiFilter('search', FRAGMENT_SCHEMA, FRAGMENT)
  @ApiFilter('optedOut', { type: 'boolean' })
  @ApiFilter('label', LABEL_SCHEMA, LABEL_FILTER)
  @ApiProduces(CSV)
  @ApiResponse({ status: 200, description: 'The file, in UTF-8', content: FILE })
  @ApiRefusals('INVALID_VALUE', 'ROLE_NOT_ALLOWED')
  async exportContacts(
    @SignedIn() { account }: ConsoleUser,
    @Query() filters: ContactFilters,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const lines = await csvLines(
      async (cursor) => {
        const wanted = { ...filters, accountId: account.id, page: 1, limit: EXPORT_PAGE_ROWS, cursor };
        const { contacts, queues, nextCursor } = await this.messaging.listContacts(wanted);
        const assignees = (queues ?? []).flatMap((queue) => queue?.assigneeId ?? []);
        const optedOutBy = contacts.flatMap(({ optOut }) => optOut?.userId ?? []);
        const names = await this.authors.namesOf(account.id, [...assignees, ...optedOutBy]);
        const rows = contacts.map((contact, index) => ({ contact, queue: queues?.[index], names }));
        return { rows, nextCursor: nextCursor ?? null };
      },
      ({ contact, queue, names }) => csvLine(contactRow(contact, queue, names)),
    );
    await sendCsv(
      {
        head: csvLine([...CONTACT_COLUMNS, ...QUEUE_COLUMNS, ...LABEL_COLUMNS, ...OPT_OUT_COLUMNS]),
        lines,
        filename: 'contacts.csv',
      },
      { request, reply },
    );
  }

  @Get('notes.csv')
  @Download()
  @Roles('viewer', { except: 'agent' })
  @ApiOperation({
    operationId: 'exportNotes',
    summary: 'Download internal notes as CSV',
    description: ABOUT,
  })
  @ApiProduces(CSV)
  @ApiResponse({ status: 200, description: 'The file, in UTF-8', content: FILE })
  @ApiRefusals('ROLE_NOT_ALLOWED')
  async exportNotes(
    @SignedIn() { account }: ConsoleUser,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const lines = await csvLines(
      async (cursor) => {
        const wanted = { accountId: account.id, limit: EXPORT_PAGE_ROWS, cursor };
        const { notes, nextCursor } = await this.messaging.listNotes(wanted);
        const authors = notes.map(({ authorId }) => authorId);
        const names = await this.authors.namesOf(account.id, authors);
        return { rows: notes.map((note) => ({ note, names })), nextCursor: nextCursor ?? null };
      },
      ({ note, names }) => csvLine(noteRow(note, names)),
    );
    await sendCsv({ head: csvLine([...NOTE_COLUMNS]), lines, filename: 'notes.csv' }, { request, reply });
  }

  @Get('activities.csv')
  @Download()
  @Roles('viewer', { except: 'agent' })
  @ApiOperation({
    operationId: 'exportActivities',
    summary: 'Download the changes of the conversation queue as CSV',
    description: ABOUT,
  })
  @ApiProduces(CSV)
  @ApiResponse({ status: 200, description: 'The file, in UTF-8', content: FILE })
  @ApiRefusals('ROLE_NOT_ALLOWED')
  async exportActivities(
    @SignedIn() { account }: ConsoleUser,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const lines = await csvLines(
      async (cursor) => {
        const wanted = { accountId: account.id, limit: EXPORT_PAGE_ROWS, cursor };
        const { activities, nextCursor } = await this.messaging.listActivities(wanted);
        const users = activities.flatMap(({ actorId, assigneeId }) => [actorId ?? [], assigneeId ?? []].flat());
        const names = await this.authors.namesOf(account.id, users);
        return { rows: activities.map((activity) => ({ activity, names })), nextCursor: nextCursor ?? null };
      },
      ({ activity, names }) => csvLine(activityRow(activity, names)),
    );
    await sendCsv({ head: csvLine([...ACTIVITY_COLUMNS]), lines, filename: 'activities.csv' }, { request, reply });
  }
}
