import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Answer,
  BodySchema,
  CreateNoteCommand,
  DeleteNoteCommand,
  Doc,
  IsNotBlank,
  IsStorableText,
  MaxUnits,
  NOTE_MAX_CHARACTERS,
} from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import { IsString, MinLength } from 'class-validator';
import { AuditedChanges } from '../audit-log/audited-changes';
import { Roles } from '../decorators/roles.decorator';
import { requireId } from '../http/path-ids';
import type { NewIdFunction } from '../idempotency/derived-ids';
import { NewId } from '../idempotency/new-id';
import { TakesIdempotencyKeys } from '../idempotency/takes-idempotency-keys';
import { ApiAnswer, ApiBodies, ApiRefusals, type Success } from '../openapi/decorators';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { isAllowed } from '../request-context/roles';

@BodySchema({ name: 'NewNote', example: () => ({ text: 'Prefers calls after 18:00' }) })
class NewNoteBody {
  @Doc('Text of the note. The contact never sees it')
  @IsString()
  @IsNotBlank()
  @MinLength(1)
  @MaxUnits(NOTE_MAX_CHARACTERS)
  @IsStorableText()
  text: string;
}

@Answer({ name: 'NoteAnswer' })
class NoteAnswer {
  @IsString() id: string;
}

@ApiTags('Conversations')
@Controller('console/v1')
export class ConsoleNotesController {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly changes: AuditedChanges,
  ) {}

  @Post('contacts/:contactId/notes')
  @HttpCode(201)
  @TakesIdempotencyKeys()
  @Roles('agent')
  @ApiOperation({
    operationId: 'createNote',
    summary: 'Add an internal note to a conversation',
    description:
      'Notes are for the users of the account. They are never sent to the contact, and appear in neither the API nor webhooks. They do not change the queue. The audit log does not contain the text.',
  })
  @ApiBodies({ json: NewNoteBody })
  @ApiAnswer(NoteAnswer, { status: 201 })
  @ApiRefusals(
    'MISSING_FIELD',
    'NOT_FOUND',
    'INVALID_VALUE',
    'TEXT_TOO_LONG',
    'IDEMPOTENCY_IN_PROGRESS',
    'IDEMPOTENCY_MISMATCH',
  )
  async create(
    @SignedIn() user: ConsoleUser,
    @Param('contactId') given: string,
    @NewId() newId: NewIdFunction,
    @Body() { text }: NewNoteBody,
  ): Promise<Success<NoteAnswer>> {
    const contactId = requireId('ct', given);
    const noteId = newId('note');
    const entry = { ...changeBy(user), action: 'note.create', target: noteId, details: { contactId } };
    const note = { contactId, noteId, authorId: user.userId, text };
    const { id } = await this.changes.request(entry, CreateNoteCommand, note, (command) =>
      this.messaging.createNote(command),
    );
    return { success: true, id };
  }

  @Delete('notes/:noteId')
  @Roles('agent')
  @ApiOperation({
    operationId: 'deleteNote',
    summary: 'Delete an internal note',
    description: 'Agents can delete their own notes, admins and owners any note.',
  })
  @ApiAnswer(NoteAnswer)
  @ApiRefusals('NOT_FOUND')
  async delete(@SignedIn() user: ConsoleUser, @Param('noteId') given: string): Promise<Success<NoteAnswer>> {
    const noteId = requireId('note', given);
    const entry = { ...changeBy(user), action: 'note.delete', target: noteId };
    const note = { noteId, ...(!isAllowed(user.role, 'admin') && { authorId: user.userId }) };
    const { id } = await this.changes.request(entry, DeleteNoteCommand, note, (command) =>
      this.messaging.deleteNote(command),
    );
    return { success: true, id };
  }
}
