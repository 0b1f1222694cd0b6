import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Answer,
  BodySchema,
  Doc,
  IsNotBlank,
  IsStorableText,
  IsTime,
  ListOf,
  MaxUnits,
  Nested,
} from '@switchboard/contracts';
import { IsOptional, IsString, MaxLength, MinLength } from 'class-validator';
import { Roles } from '../decorators/roles.decorator';
import { requireId } from '../http/path-ids';
import type { NewIdFunction } from '../idempotency/derived-ids';
import { NewId } from '../idempotency/new-id';
import { TakesIdempotencyKeys } from '../idempotency/takes-idempotency-keys';
import { ApiAnswer, ApiBodies, ApiRefusals, type Success } from '../openapi/decorators';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { Done } from '../users/user.bodies';
import { SavedRepliesService } from './saved-replies.service';
import type { SavedReply } from './saved-reply.entity';

const MAX_CHARACTERS = 4_096;
const NAME =
  'Letters, digits and hyphens, at most 40 characters. Unique in the account, ignoring case. Users type it after `/`';
const TEXT = "`{{name}}` is replaced by the contact's name, `{{agent}}` by the name of the user";
const EXAMPLE = { name: 'delivery', text: 'Hello {{name}}, your parcel arrives tomorrow. {{agent}}' };

@BodySchema({ name: 'NewSavedReply', example: () => EXAMPLE })
class NewReplyBody {
  @Doc(NAME) @IsString() @IsStorableText() @MinLength(1) @MaxLength(100) name: string;
  @Doc(TEXT) @IsString() @IsNotBlank() @MinLength(1) @MaxUnits(MAX_CHARACTERS) @IsStorableText() text: string;
}

@BodySchema({ name: 'SavedReplyChange', example: () => ({ text: EXAMPLE.text }) })
class ReplyChangeBody {
  @Doc(NAME) @IsOptional() @IsString() @IsStorableText() @MinLength(1) @MaxLength(100) name?: string;
  @Doc(TEXT)
  @IsOptional()
  @IsString()
  @IsNotBlank()
  @MinLength(1)
  @MaxUnits(MAX_CHARACTERS)
  @IsStorableText()
  text?: string;
}

@BodySchema({ name: 'SavedReply' })
class ShownReply {
  @IsString() id: string;
  @IsString() name: string;
  @IsString() text: string;
  @IsTime() updatedAt: Date;
}

@Answer()
class SavedReplyList {
  @ListOf(() => ShownReply) savedReplies: ShownReply[];
}

@Answer()
class SavedReplyAnswer {
  @Nested(() => ShownReply) savedReply: ShownReply;
}

@ApiTags('Conversations')
@Controller('console/v1/saved-replies')
export class ConsoleSavedRepliesController {
  constructor(private readonly replies: SavedRepliesService) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({ operationId: 'listSavedReplies', summary: 'List saved replies by name, at most 200' })
  @ApiAnswer(SavedReplyList)
  @ApiRefusals()
  async list(@SignedIn() { account }: ConsoleUser): Promise<Success<SavedReplyList>> {
    return { success: true, savedReplies: (await this.replies.list(account.id)).map(shownReply) };
  }

  @Post()
  @HttpCode(201)
  @TakesIdempotencyKeys()
  @Roles('admin')
  @ApiOperation({ operationId: 'createSavedReply', summary: 'Create a saved reply' })
  @ApiBodies({ json: NewReplyBody })
  @ApiAnswer(SavedReplyAnswer, { status: 201 })
  @ApiRefusals('MISSING_FIELD', 'INVALID_VALUE', 'TEXT_TOO_LONG', 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_MISMATCH')
  async create(
    @SignedIn() user: ConsoleUser,
    @NewId() newId: NewIdFunction,
    @Body() { name, text }: NewReplyBody,
  ): Promise<Success<SavedReplyAnswer>> {
    const reply = await this.replies.create(changeBy(user), newId('srp'), { name, text });
    return { success: true, savedReply: shownReply(reply) };
  }

  @Patch(':replyId')
  @Roles('admin')
  @ApiOperation({ operationId: 'changeSavedReply', summary: 'Change the name or text of a saved reply' })
  @ApiBodies({ json: ReplyChangeBody })
  @ApiAnswer(SavedReplyAnswer)
  @ApiRefusals('MISSING_FIELD', 'NOT_FOUND', 'INVALID_VALUE', 'TEXT_TOO_LONG')
  async change(
    @SignedIn() user: ConsoleUser,
    @Param('replyId') replyId: string,
    @Body() { name, text }: ReplyChangeBody,
  ): Promise<Success<SavedReplyAnswer>> {
    const reply = await this.replies.change(changeBy(user), requireId('srp', replyId), { name, text });
    return { success: true, savedReply: shownReply(reply) };
  }

  @Delete(':replyId')
  @Roles('admin')
  @ApiOperation({ operationId: 'deleteSavedReply', summary: 'Delete a saved reply' })
  @ApiAnswer(Done)
  @ApiRefusals('NOT_FOUND')
  async delete(@SignedIn() user: ConsoleUser, @Param('replyId') replyId: string): Promise<Success<Done>> {
    await this.replies.delete(changeBy(user), requireId('srp', replyId));
    return { success: true };
  }
}

function shownReply({ id, name, text, updatedAt }: SavedReply): ShownReply {
  return { id, name, text, updatedAt };
}
