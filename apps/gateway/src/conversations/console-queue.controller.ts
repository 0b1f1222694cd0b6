import { Body, Controller, Get, Param, Patch } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answer, BodySchema, Doc, ListOf, Nested, QueueState, ViewTotal } from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString } from 'class-validator';
import { Roles } from '../decorators/roles.decorator';
import { requireId } from '../http/path-ids';
import { ApiAnswer, ApiBodies, ApiRefusals, type Success } from '../openapi/decorators';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { type Role, ROLES } from '../request-context/roles';
import { UsersService } from '../users/users.service';
import { QueueChanges } from './queue-changes';

@Answer()
class ConversationCounts {
  @Nested(() => ViewTotal) unread: ViewTotal;
  @Nested(() => ViewTotal) unanswered: ViewTotal;
  @Doc('Conversations assigned to you that are not done') @Nested(() => ViewTotal) mine: ViewTotal;
  @Doc('Conversations with contacts who have written that are neither assigned nor done')
  @Nested(() => ViewTotal)
  unassigned: ViewTotal;
  @Nested(() => ViewTotal) all: ViewTotal;
  @Nested(() => ViewTotal) done: ViewTotal;
}

@BodySchema({
  name: 'ConversationChange',
  example: () => ({ done: true, seenUpTo: 'msg_01jd0000000000000000000000' }),
})
class ConversationChangeBody {
  @Doc('ID of the user to assign the conversation to; an empty string unassigns it')
  @IsOptional()
  @IsString()
  assigneeId?: string;
  @Doc(
    'ID of the user to whom the conversation is assigned on the page; an empty string for nobody. If another user has changed this, the assignment is rejected with `ASSIGNEE_CHANGED`',
  )
  @IsOptional()
  @IsString()
  expectedAssigneeId?: string;
  @Doc('True: mark as done, which needs `seenUpTo`. False: reopen. A new message of the contact also reopens')
  @IsOptional()
  @IsBoolean()
  done?: boolean;
  @Doc(
    'ID of the newest message that you have seen. It and older ones no longer count as unread, and the contact is not notified. A conversation with a newer message of the contact stays open',
  )
  @IsOptional()
  @IsString()
  seenUpTo?: string;
}

@Answer()
class ConversationChangeAnswer {
  @Nested(() => QueueState) queue: QueueState;
  @Doc('Number of inbound messages that are neither answered nor seen') @IsInt() unreadCount: number;
}

/** Total in a reply of the previous version, which has no such view. */
const NOT_COUNTED: ViewTotal = { total: 0, totalIsExact: false };

class Colleague {
  @IsString() id: string;
  @IsString() name: string;
  @IsIn(ROLES) role: Role;
}

@Answer()
class ColleagueList {
  @ListOf(() => Colleague) colleagues: Colleague[];
}

@ApiTags('Conversations')
@Controller('console/v1')
export class ConsoleQueueController {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly users: UsersService,
    private readonly changes: QueueChanges,
  ) {}

  @Get('conversations/counts')
  @Roles('viewer')
  @ApiOperation({ operationId: 'countConversations', summary: 'Count the conversations in each view' })
  @ApiAnswer(ConversationCounts)
  @ApiRefusals()
  async count(@SignedIn() { account, userId }: ConsoleUser): Promise<Success<ConversationCounts>> {
    const counts = await this.messaging.countConversations({ accountId: account.id, assigneeId: userId });
    return { success: true, ...counts, unassigned: counts.unassigned ?? NOT_COUNTED };
  }

  @Patch('contacts/:contactId/conversation')
  @Roles('agent')
  @ApiOperation({
    operationId: 'changeConversation',
    summary: 'Assign a conversation, mark it as done or as seen, or reopen it',
    description:
      'The contact does not notice. A read receipt is sent only by `markMessageRead`. The error `ASSIGNEE_CHANGED` has the current `assignment`: the `assignee`, and who changed it (`changedBy`) and when (`changedAt`), each null if nobody or unknown.',
  })
  @ApiBodies({ json: ConversationChangeBody })
  @ApiAnswer(ConversationChangeAnswer)
  @ApiRefusals('MISSING_FIELD', 'INVALID_VALUE', 'NOT_FOUND', 'ASSIGNEE_CHANGED')
  async change(
    @SignedIn() user: ConsoleUser,
    @Param('contactId') contactId: string,
    @Body() body: ConversationChangeBody,
  ): Promise<Success<ConversationChangeAnswer>> {
    const change = { ...body, contactId: requireId('ct', contactId), actorId: user.userId };
    return { success: true, ...(await this.changes.change(changeBy(user), change)) };
  }

  @Get('colleagues')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'listColleagues',
    summary: 'List the users to whom a conversation can be assigned, by name',
  })
  @ApiAnswer(ColleagueList)
  @ApiRefusals()
  async colleagues(@SignedIn() { account }: ConsoleUser): Promise<Success<ColleagueList>> {
    const users = await this.users.listAssignable(account.id);
    return { success: true, colleagues: users.map(({ userId: id, name, role }) => ({ id, name, role })) };
  }
}
