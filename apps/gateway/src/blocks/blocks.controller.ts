import { Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Answer, type BlockAction, IsPhone, listBlocksV1, ListOf, Nested, PHONE_SCHEMA } from '@switchboard/contracts';
import { IsOptional } from 'class-validator';
import { type ApiClient, Client } from '../request-context/client';
import { PERSON_PARAMETER, requirePerson } from '../http/path-ids';
import { PageQuery } from '../pagination/page-query';
import { Pagination, paginationOf } from '../pagination/pagination';
import { IsGivenOnce } from '../pagination/query-rules';
import { ApiAnswer, ApiFilter, ApiPaging, ApiRefusals, type Success } from '../openapi/decorators';
import { Block, BLOCK_ERRORS, BlockAnswer, blockItem } from './block-bodies';
import { BlocksService } from './blocks.service';

@Answer({
  example: () => {
    const { response } = listBlocksV1.sample;
    return {
      success: true,
      blocks: response.blocks.map(blockItem),
      pagination: paginationOf({ page: 1, limit: 20 }, response),
    };
  },
})
class BlockList {
  @ListOf(() => Block) blocks: Block[];
  @Nested(() => Pagination) pagination: Pagination;
}

class BlockQuery {
  @IsOptional() @IsGivenOnce() @IsPhone() from?: string;
}

const OF_PERSON = ApiParam(PERSON_PARAMETER);
const BY_NUMBER = ApiFilter('from', PHONE_SCHEMA, 'Your business number; defaults to your primary number');

@ApiTags('Contacts')
@ApiBearerAuth()
@Controller('v1')
export class BlocksController {
  constructor(private readonly blocks: BlocksService) {}

  @Post('contacts/:phone/block')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'blockPerson',
    summary: 'Block a contact for one of your business numbers',
    description:
      'The upstream platform then delivers no messages between the contact and the number, in either direction. The contact is not notified. Only a contact who wrote to the number within the last 24 hours can be blocked. A block is not an opt-out: contacts who opt out reject your marketing but can still write to you. Counts as one request, but not as a message. Safe to repeat.',
  })
  @OF_PERSON
  @BY_NUMBER
  @ApiAnswer(BlockAnswer)
  @ApiRefusals(...BLOCK_ERRORS, 'WINDOW_CLOSED', 'NOT_FOUND')
  block(
    @Client() client: ApiClient,
    @Param('phone') phone: string,
    @Query() { from }: BlockQuery,
  ): Promise<Success<BlockAnswer>> {
    return this.change(client, { action: 'block', phone, from });
  }

  @Delete('contacts/:phone/block')
  @ApiOperation({
    operationId: 'unblockPerson',
    summary: 'Unblock a contact for one of your business numbers',
    description: 'A contact can be unblocked at any time. Counts as one request, but not as a message. Safe to repeat.',
  })
  @OF_PERSON
  @BY_NUMBER
  @ApiAnswer(BlockAnswer)
  @ApiRefusals(...BLOCK_ERRORS, 'NOT_FOUND')
  unblock(
    @Client() client: ApiClient,
    @Param('phone') phone: string,
    @Query() { from }: BlockQuery,
  ): Promise<Success<BlockAnswer>> {
    return this.change(client, { action: 'unblock', phone, from });
  }

  @Get('blocks')
  @ApiOperation({
    operationId: 'listBlocks',
    summary: 'List contacts blocked by your business numbers, newest first',
    description:
      'Mirrors the block list of the upstream platform. Blocks made through this API appear immediately. Blocks made elsewhere appear within an hour.',
  })
  @ApiPaging()
  @ApiAnswer(BlockList)
  @ApiRefusals('INVALID_PARAMETER', 'INVALID_VALUE')
  async list(@Client() client: ApiClient, @Query() page: PageQuery): Promise<Success<BlockList>> {
    const reply = await this.blocks.list(client.account.id, page);
    return { success: true, blocks: reply.blocks.map(blockItem), pagination: paginationOf(page, reply) };
  }

  private async change(
    { account }: ApiClient,
    { action, phone, from }: { action: BlockAction; phone: string; from?: string },
  ): Promise<Success<BlockAnswer>> {
    const change = { action, phone: requirePerson(phone), from };
    return { success: true, ...(await this.blocks.change({ accountId: account.id }, change)) };
  }
}
