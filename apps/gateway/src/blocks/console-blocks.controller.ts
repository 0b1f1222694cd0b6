import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Answer,
  type BlockAction,
  BlockRecord,
  blockSample,
  BodySchema,
  ChangeBlockCommand,
  Doc,
  IsPhone,
  ListOf,
  maskPhone,
  PHONE_SCHEMA,
} from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import { IsOptional, IsString } from 'class-validator';
import { Roles } from '../decorators/roles.decorator';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { AuditedChanges } from '../audit-log/audited-changes';
import { CursorQuery } from '../pagination/page-query';
import { CountedPage, countedPage } from '../pagination/pagination';
import { ApiAnswer, ApiBodies, ApiCursorPaging, ApiRefusals, type Success } from '../openapi/decorators';
import { BLOCK_ERRORS, BlockAnswer, blockAnswer } from './blocks';

@Answer({ name: 'ConsoleBlockList' })
class ConsoleBlockList extends CountedPage {
  @ListOf(() => BlockRecord) blocks: BlockRecord[];
}

@BodySchema({
  name: 'BlockChange',
  example: () => ({ phone: blockSample.phone, from: blockSample.phoneNumber }),
})
class BlockChangeBody {
  @Doc('The person', PHONE_SCHEMA) @IsString() @IsPhone() phone: string;
  @Doc('The business number of yours; your primary one when absent', PHONE_SCHEMA)
  @IsOptional()
  @IsString()
  @IsPhone()
  from?: string;
}

@ApiTags('Contacts')
@Controller('console/v1/blocks')
export class ConsoleBlocksController {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly changes: AuditedChanges,
  ) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({ operationId: 'listBlocks', summary: 'List the people whom business numbers block, newest first' })
  @ApiCursorPaging()
  @ApiAnswer(ConsoleBlockList)
  @ApiRefusals('INVALID_PARAMETER')
  async list(@SignedIn() { account }: ConsoleUser, @Query() query: CursorQuery): Promise<Success<ConsoleBlockList>> {
    const reply = await this.messaging.listBlocks({ accountId: account.id, page: 1, ...query });
    return { success: true, blocks: reply.blocks, ...countedPage(reply) };
  }

  @Post('add')
  @HttpCode(200)
  @Roles('admin')
  @ApiOperation({
    operationId: 'blockPerson',
    summary: 'Block a person for a business number, at the upstream platform',
    description: 'Only somebody who wrote to the number within the last 24 hours can be blocked.',
  })
  @ApiBodies({ json: BlockChangeBody })
  @ApiAnswer(BlockAnswer)
  @ApiRefusals('MISSING_FIELD', ...BLOCK_ERRORS, 'WINDOW_CLOSED')
  block(@SignedIn() user: ConsoleUser, @Body() body: BlockChangeBody): Promise<Success<BlockAnswer>> {
    return this.change(user, 'block', body);
  }

  @Post('remove')
  @HttpCode(200)
  @Roles('admin')
  @ApiOperation({
    operationId: 'unblockPerson',
    summary: 'Unblock a person for a business number, at the upstream platform',
  })
  @ApiBodies({ json: BlockChangeBody })
  @ApiAnswer(BlockAnswer)
  @ApiRefusals('MISSING_FIELD', ...BLOCK_ERRORS)
  unblock(@SignedIn() user: ConsoleUser, @Body() body: BlockChangeBody): Promise<Success<BlockAnswer>> {
    return this.change(user, 'unblock', body);
  }

  /** The audit log names nobody in full. */
  private async change(
    user: ConsoleUser,
    action: BlockAction,
    { phone, from }: BlockChangeBody,
  ): Promise<Success<BlockAnswer>> {
    const entry = {
      ...changeBy(user),
      action: `contact.${action}`,
      target: maskPhone(phone),
      ...(from !== undefined && { details: { from } }),
    };
    return blockAnswer(
      await this.changes.request(entry, ChangeBlockCommand, { phone, from, action }, (command) =>
        this.messaging.changeBlock(command),
      ),
    );
  }
}
