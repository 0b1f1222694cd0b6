import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import {
  Answer,
  ContactRecord,
  type ListContactsCommand,
  listContactsV1,
  ListOf,
  Nested,
} from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import { type ApiClient, Client } from '../request-context/client';
import { Paged, PageQuery } from '../pagination/page-query';
import { Pagination, paginationOf } from '../pagination/pagination';
import { IsFragment } from '../pagination/query-rules';
import { ApiAnswer, ApiFilter, ApiPaging, ApiRefusals, type Success } from '../openapi/decorators';
import { ContactFilters, FRAGMENT, FRAGMENT_SCHEMA, LABEL_FILTER, LABEL_SCHEMA } from './contact-item';

@Answer({
  example: () => {
    const { response } = listContactsV1.sample;
    return { success: true, contacts: response.contacts, pagination: paginationOf({ page: 1, limit: 20 }, response) };
  },
})
class ContactList {
  @ListOf(() => ContactRecord) contacts: ContactRecord[];
  @Nested(() => Pagination) pagination: Pagination;
}

class ListContactsQuery extends Paged(ContactFilters) {}

class SearchContactsQuery extends PageQuery {
  @IsFragment() q: string;
}

@ApiTags('Contacts')
@ApiBearerAuth()
@Controller('v1/contacts')
export class ContactsController {
  constructor(private readonly messaging: MessagingClient) {}

  @Get()
  @ApiOperation({
    operationId: 'listContacts',
    summary: 'List contacts, newest first',
    description: 'Returns the contacts with whom the account has exchanged messages, and their service windows.',
  })
  @ApiPaging()
  @ApiFilter('search', FRAGMENT_SCHEMA, FRAGMENT)
  @ApiFilter('optedOut', { type: 'boolean' })
  @ApiFilter('label', LABEL_SCHEMA, LABEL_FILTER)
  @ApiAnswer(ContactList)
  @ApiRefusals('INVALID_PARAMETER', 'INVALID_VALUE')
  list(@Client() client: ApiClient, @Query() query: ListContactsQuery): Promise<Success<ContactList>> {
    return this.answer({ accountId: client.account.id, ...query });
  }

  @Get('search')
  @ApiOperation({
    operationId: 'searchContacts',
    summary: 'Search contacts by part of their name, user name or number',
    description: 'Equivalent to `GET /contacts` with `search`, newest first.',
  })
  @ApiPaging()
  @ApiQuery({ name: 'q', required: true, description: FRAGMENT, schema: FRAGMENT_SCHEMA })
  @ApiAnswer(ContactList)
  @ApiRefusals('MISSING_FIELD', 'INVALID_PARAMETER', 'INVALID_VALUE')
  search(
    @Client() client: ApiClient,
    @Query() { q: search, ...page }: SearchContactsQuery,
  ): Promise<Success<ContactList>> {
    return this.answer({ accountId: client.account.id, ...page, search });
  }

  private async answer(wanted: ListContactsCommand): Promise<Success<ContactList>> {
    const reply = await this.messaging.listContacts(wanted);
    return { success: true, contacts: reply.contacts, pagination: paginationOf(wanted, reply) };
  }
}
