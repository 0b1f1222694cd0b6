import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Answer,
  BodySchema,
  ContactRecord,
  Doc,
  type GetContactReply,
  IsPlainName,
  IsRecipient,
  IsStorableText,
  ListOf,
  Nested,
  type UpdateContactReply,
} from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, MaxLength } from 'class-validator';
import { Roles } from '../decorators/roles.decorator';
import { type ChangeBy, changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { ContactChanges, OPT_OUT_SCOPES, type OptOutScope } from './contact-changes';
import { requireId } from '../http/path-ids';
import { CursorPaged } from '../pagination/page-query';
import { CountedPage, countedPage } from '../pagination/pagination';
import { FRAGMENT_SCHEMA } from '../pagination/query-rules';
import { ApiAnswer, ApiBodies, ApiCursorPaging, ApiFilter, ApiRefusals, type Success } from '../openapi/decorators';
import { ContactAnswer, ContactFilters, contactItem, FRAGMENT, LABEL_FILTER, LABEL_SCHEMA } from './contact-item';

@Answer({ name: 'ConsoleContactList' })
class ConsoleContactList extends CountedPage {
  @ListOf(() => ContactRecord) contacts: ContactRecord[];
}

@BodySchema({ name: 'ContactChange', example: () => ({ name: 'Asha Rao' }) })
class ContactChangeBody {
  @Doc('Your name for the contact; an empty string restores the profile name')
  @IsString()
  @IsStorableText()
  @IsPlainName()
  @MaxLength(128)
  name: string;
}

@BodySchema({ name: 'OptOut', example: () => ({ scope: 'marketing' }) })
class OptOutBody {
  @Doc('`marketing`: marketing templates are rejected. `everything`: all messages are rejected')
  @IsIn(OPT_OUT_SCOPES)
  scope: OptOutScope;
}

@BodySchema({ name: 'ErasureRequest', example: () => ({ phone: '919812345678', dryRun: true }) })
class ErasureBody {
  @IsString() @IsRecipient() phone: string;
  @Doc('True: count what would be erased, without changes') @IsOptional() @IsBoolean() dryRun?: boolean;
}

class ErasedCounts {
  @IsInt() messages: number;
  @Doc('Files received from the contact') @IsInt() media: number;
  @Doc('Webhook events about the contact, with their deliveries') @IsInt() events: number;
  @Doc('Recipients of bulk jobs; the counts of the jobs are unchanged') @IsInt() recipients: number;
  @Doc('Records of one-time codes for the number') @IsInt() codes: number;
  @Doc('Stored API responses in which the number is masked') @IsInt() answers: number;
}

@Answer()
class ErasureAnswer {
  @Doc('False: the erasure is incomplete. Repeat the request to continue it')
  @IsBoolean()
  done: boolean;
  @Doc('Counts of items erased by this request, or of all items in a dry run')
  @Nested(() => ErasedCounts)
  erased: ErasedCounts;
}

class ListContactsQuery extends CursorPaged(ContactFilters) {}

@ApiTags('Contacts')
@Controller('console/v1/contacts')
export class ConsoleContactsController {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly changes: ContactChanges,
  ) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({ operationId: 'listContacts', summary: 'List contacts, newest first' })
  @ApiCursorPaging()
  @ApiFilter('search', FRAGMENT_SCHEMA, FRAGMENT)
  @ApiFilter('optedOut', { type: 'boolean' })
  @ApiFilter('label', LABEL_SCHEMA, LABEL_FILTER)
  @ApiAnswer(ConsoleContactList)
  @ApiRefusals('INVALID_VALUE')
  async list(
    @SignedIn() { account }: ConsoleUser,
    @Query() query: ListContactsQuery,
  ): Promise<Success<ConsoleContactList>> {
    const reply = await this.messaging.listContacts({ accountId: account.id, page: 1, ...query });
    return { success: true, contacts: reply.contacts, ...countedPage(reply) };
  }

  @Get(':contactId')
  @Roles('viewer')
  @ApiOperation({ operationId: 'getContact', summary: 'Retrieve a contact with its service windows' })
  @ApiAnswer(ContactAnswer)
  @ApiRefusals('NOT_FOUND')
  async show(@SignedIn() user: ConsoleUser, @Param('contactId') contactId: string): Promise<Success<ContactAnswer>> {
    return { success: true, contact: contactItem(await this.find(user, contactId)) };
  }

  @Patch(':contactId')
  @Roles('agent')
  @ApiOperation({ operationId: 'changeContact', summary: 'Update your name for a contact' })
  @ApiBodies({ json: ContactChangeBody })
  @ApiAnswer(ContactAnswer)
  @ApiRefusals('MISSING_FIELD', 'INVALID_VALUE', 'TEXT_TOO_LONG', 'NOT_FOUND')
  async change(
    @SignedIn() user: ConsoleUser,
    @Param('contactId') contactId: string,
    @Body() { name }: ContactChangeBody,
  ): Promise<Success<ContactAnswer>> {
    return this.changed(user, contactId, (by) => this.changes.rename(by, contactId, name));
  }

  @Post(':contactId/opt-out')
  @HttpCode(200)
  @Roles('agent')
  @ApiOperation({
    operationId: 'optContactOut',
    summary: 'Opt a contact out of marketing, or of all messages',
  })
  @ApiBodies({ json: OptOutBody })
  @ApiAnswer(ContactAnswer)
  @ApiRefusals('MISSING_FIELD', 'INVALID_VALUE', 'NOT_FOUND')
  async optOut(
    @SignedIn() user: ConsoleUser,
    @Param('contactId') contactId: string,
    @Body() { scope }: OptOutBody,
  ): Promise<Success<ContactAnswer>> {
    return this.changed(user, contactId, (by) => this.changes.optOut(by, { contactId, userId: user.userId, scope }));
  }

  @Post(':contactId/opt-in')
  @HttpCode(200)
  @Roles('admin')
  @ApiOperation({
    operationId: 'optContactIn',
    summary: 'Opt a contact in again',
    description: 'An opt-out at the upstream platform (`marketingOptOut`) is unchanged.',
  })
  @ApiAnswer(ContactAnswer)
  @ApiRefusals('NOT_FOUND')
  optIn(@SignedIn() user: ConsoleUser, @Param('contactId') contactId: string): Promise<Success<ContactAnswer>> {
    return this.changed(user, contactId, (by) => this.changes.optIn(by, contactId));
  }

  @Post('erase')
  @HttpCode(200)
  @Roles('owner')
  @ApiOperation({
    operationId: 'erasePerson',
    summary: 'Erase a contact: messages, files, webhook events, job recipients, one-time codes and the contact itself',
    description:
      'This cannot be undone. Raw callbacks from the upstream platform that name the contact are erased last and are not counted. Each request erases for some seconds and then reports its progress. The next request continues from there and may count nothing.',
  })
  @ApiBodies({ json: ErasureBody })
  @ApiAnswer(ErasureAnswer)
  @ApiRefusals('MISSING_FIELD', 'INVALID_PHONE', 'NOT_FOUND')
  async erase(
    @SignedIn() user: ConsoleUser,
    @Body() { phone, dryRun = false }: ErasureBody,
  ): Promise<Success<ErasureAnswer>> {
    const { done, erased } = await this.changes.erase(changeBy(user), { phone, dryRun });
    const { messages, media, events, recipients, codes, answers } = erased;
    return { success: true, done, erased: { messages, media, events, recipients, codes, answers } };
  }

  private find({ account }: ConsoleUser, contactId: string): Promise<GetContactReply> {
    return this.messaging.getContact({ accountId: account.id, contactId: requireId('ct', contactId) });
  }

  /**
   * Reads fields that the change does not return before making it, since a failure afterwards would look like a
   * rejected change.
   */
  private async changed(
    user: ConsoleUser,
    contactId: string,
    change: (by: ChangeBy) => Promise<UpdateContactReply>,
  ): Promise<Success<ContactAnswer>> {
    const before = await this.find(user, contactId);
    const { contact, blocked } = await change(changeBy(user));
    return { success: true, contact: contactItem({ ...before, contact, blocked }) };
  }
}
