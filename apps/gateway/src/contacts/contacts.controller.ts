import { Body, Controller, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import {
  Answer,
  BodySchema,
  ContactRecord,
  Doc,
  IsLabelName,
  LABELS_MAX,
  type ListContactsCommand,
  listContactsV1,
  ListOf,
  Nested,
  setContactLabelsV1,
} from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import { ArrayMaxSize, IsArray } from 'class-validator';
import { PERSON_PARAMETER, requirePerson } from '../http/path-ids';
import { type ApiClient, Client } from '../request-context/client';
import { Paged, PageQuery } from '../pagination/page-query';
import { Pagination, paginationOf } from '../pagination/pagination';
import { IsFragment } from '../pagination/query-rules';
import { ApiAnswer, ApiBodies, ApiFilter, ApiPaging, ApiRefusals, type Success } from '../openapi/decorators';
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

@Answer({ example: () => ({ success: true, contact: setContactLabelsV1.sample.response.contact }) })
class UpdatedContact {
  @Nested(() => ContactRecord) contact: ContactRecord;
}

@BodySchema({ name: 'ContactUpdate', example: () => ({ labels: ['VIP', 'New order'] }) })
class ContactUpdateBody {
  @Doc(
    'Names of all labels of the contact, which replace the present ones. Case is ignored. Names that do not exist are created; an empty list removes all labels',
  )
  @IsArray()
  @ArrayMaxSize(LABELS_MAX)
  @IsLabelName({ each: true })
  labels: string[];
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

  @Patch(':phone')
  @ApiOperation({
    operationId: 'updateContact',
    summary: 'Replace the labels of a contact',
    description: `The dashboard shows labels on contacts and conversations, and filters by them. An account has at most ${LABELS_MAX} labels. Safe to repeat.`,
  })
  @ApiParam(PERSON_PARAMETER)
  @ApiBodies({ json: ContactUpdateBody })
  @ApiAnswer(UpdatedContact)
  @ApiRefusals('MISSING_FIELD', 'INVALID_PARAMETER', 'INVALID_PHONE', 'INVALID_VALUE', 'TEXT_TOO_LONG', 'NOT_FOUND')
  async update(
    @Client() client: ApiClient,
    @Param('phone') phone: string,
    @Body() { labels }: ContactUpdateBody,
  ): Promise<Success<UpdatedContact>> {
    const command = { accountId: client.account.id, phone: requirePerson(phone), labels };
    const { contact } = await this.messaging.setContactLabels(command);
    return { success: true, contact };
  }

  private async answer(wanted: ListContactsCommand): Promise<Success<ContactList>> {
    const reply = await this.messaging.listContacts(wanted);
    return { success: true, contacts: reply.contacts, pagination: paginationOf(wanted, reply) };
  }
}
