import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Answer,
  type BlockAction,
  blockSample,
  BodySchema,
  Doc,
  IsPhone,
  IsRecipient,
  ListOf,
  PHONE_SCHEMA,
  RECIPIENT_SCHEMA,
} from '@switchboard/contracts';
import { IsOptional, IsString } from 'class-validator';
import { Roles } from '../decorators/roles.decorator';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { CursorQuery } from '../pagination/page-query';
import { CountedPage, countedPage } from '../pagination/pagination';
import { ApiAnswer, ApiBodies, ApiCursorPaging, ApiRefusals, type Success } from '../openapi/decorators';
import { Block, BLOCK_ERRORS, BlockAnswer, blockItem } from './block-bodies';
import { BlocksService } from './blocks.service';

@Answer({ name: 'ConsoleBlockList' })
class ConsoleBlockList extends CountedPage {
  @ListOf(() => Block) blocks: Block[];
}

@BodySchema({
  name: 'BlockChange',
  example: () => ({ phone: blockSample.phone, from: blockSample.phoneNumber }),
})
class BlockChangeBody {
  @Doc('The contact', RECIPIENT_SCHEMA) @IsString() @IsRecipient() phone: string;
  @Doc('Your business number; defaults to your primary number', PHONE_SCHEMA)
  @IsOptional()
  @IsString()
  @IsPhone()
  from?: string;
}

@ApiTags('Contacts')
@Controller('console/v1/blocks')
export class ConsoleBlocksController {
  constructor(private readonly blocks: BlocksService) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({ operationId: 'listBlocks', summary: 'List blocked contacts, newest first' })
  @ApiCursorPaging()
  @ApiAnswer(ConsoleBlockList)
  @ApiRefusals('INVALID_PARAMETER')
  async list(@SignedIn() { account }: ConsoleUser, @Query() query: CursorQuery): Promise<Success<ConsoleBlockList>> {
    const reply = await this.blocks.list(account.id, { page: 1, ...query });
    return { success: true, blocks: reply.blocks.map(blockItem), ...countedPage(reply) };
  }

  @Post('add')
  @HttpCode(200)
  @Roles('admin')
  @ApiOperation({
    operationId: 'blockPerson',
    summary: 'Block a contact for a business number at the upstream platform',
    description: 'Only a contact who wrote to the number within the last 24 hours can be blocked.',
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
    summary: 'Unblock a contact for a business number at the upstream platform',
  })
  @ApiBodies({ json: BlockChangeBody })
  @ApiAnswer(BlockAnswer)
  @ApiRefusals('MISSING_FIELD', ...BLOCK_ERRORS)
  unblock(@SignedIn() user: ConsoleUser, @Body() body: BlockChangeBody): Promise<Success<BlockAnswer>> {
    return this.change(user, 'unblock', body);
  }

  private async change(user: ConsoleUser, action: BlockAction, body: BlockChangeBody): Promise<Success<BlockAnswer>> {
    return { success: true, ...(await this.blocks.change(changeBy(user), { action, ...body })) };
  }
}
