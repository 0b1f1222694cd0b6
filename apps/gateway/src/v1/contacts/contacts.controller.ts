import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Broker } from '@switchboard/broker';
import { type ListContactsCommand, listContactsV1 } from '@switchboard/contracts';
import { type ApiClient, Client } from '../../caller/client';
import { flagOf, fragmentOf, parsePaging, type Query as ListQuery, refusal } from '../../lists/list-query';
import { paginationOf } from '../../lists/pagination';
import { ApiAnswer, ApiFilter, ApiPaging, ApiRefusals } from '../../openapi/decorators';
import { flag, text } from '../../openapi/schema';

@ApiTags('Contacts')
@ApiBearerAuth()
@Controller('v1/contacts')
export class ContactsController {
  constructor(private readonly broker: Broker) {}

  @Get()
  @ApiOperation({ operationId: 'listContacts', summary: 'List contacts, newest first' })
  @ApiPaging()
  @ApiFilter(
    'search',
    text(undefined, { minLength: 2, maxLength: 100 }),
    'A part of a name or of a number; pluses and blanks do not count',
  )
  @ApiFilter('optedOut', flag)
  @ApiAnswer('ContactList')
  @ApiRefusals('INVALID_PARAMETER', 'INVALID_VALUE')
  list(@Client() client: ApiClient, @Query() query: ListQuery): Promise<object> {
    return this.answer({
      accountId: client.account.id,
      ...parsePaging(query),
      search: fragmentOf(query, 'search'),
      optedOut: flagOf(query, 'optedOut'),
    });
  }

  @Get('search')
  @ApiOperation({ operationId: 'searchContacts', summary: 'Find contacts by a part of their name or number' })
  @ApiPaging()
  @ApiQuery({
    name: 'q',
    required: true,
    description: 'Pluses and blanks do not count',
    schema: { type: 'string', minLength: 2, maxLength: 100 },
  })
  @ApiAnswer('ContactList')
  @ApiRefusals('MISSING_FIELD', 'INVALID_PARAMETER', 'INVALID_VALUE')
  search(@Client() client: ApiClient, @Query() query: ListQuery): Promise<object> {
    const search = fragmentOf(query, 'q');
    if (search === undefined) throw refusal('MISSING_FIELD', 'q', 'q is required');
    return this.answer({ accountId: client.account.id, ...parsePaging(query), search });
  }

  private async answer(wanted: ListContactsCommand): Promise<object> {
    const reply = await this.broker.ask(listContactsV1, wanted);
    return { success: true, contacts: reply.contacts, pagination: paginationOf(wanted, reply) };
  }
}
