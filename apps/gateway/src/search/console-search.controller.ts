import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { Roles } from '../decorators/roles.decorator';
import { ApiAnswer, ApiFilter, ApiRefusals, type Success } from '../openapi/decorators';
import { IsCount, IsSearchText, SEARCH_TEXT_SCHEMA } from '../pagination/query-rules';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';
import { SearchResults } from './search-results';
import { SearchService } from './search.service';

const DEFAULT_LIMIT = 5;
const MOST_LIMIT = 20;

class SearchQuery {
  @IsSearchText() q: string;
  /** Maximum results per kind; larger values count as 20. */
  @IsOptional() @IsCount(MOST_LIMIT) limit = DEFAULT_LIMIT;
}

@ApiTags('Search')
@Controller('console/v1/search')
export class ConsoleSearchController {
  constructor(private readonly searches: SearchService) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({
    operationId: 'search',
    summary: 'Search contacts, messages, templates, bulk jobs and API keys',
    description:
      'Ignores case, accents and spaces in names. Of contacts with more than 1,000 matches and of jobs, only the newest 5,000 are searched, and of API keys the newest 1,000: `incomplete` lists such kinds. A kind is null while its service is unavailable. Message texts are searched by `GET /console/v1/messages` with `text`.',
  })
  @ApiQuery({
    name: 'q',
    required: true,
    description: 'Part of a name or number, a reference or an ID',
    schema: SEARCH_TEXT_SCHEMA,
  })
  @ApiFilter(
    'limit',
    { type: 'integer', minimum: 1, default: DEFAULT_LIMIT },
    `Maximum results per kind. Values above ${MOST_LIMIT} are treated as ${MOST_LIMIT}`,
  )
  @ApiAnswer(SearchResults)
  @ApiRefusals('MISSING_FIELD', 'INVALID_PARAMETER', 'INVALID_VALUE')
  async search(
    @SignedIn() { account }: ConsoleUser,
    @Query() { q, limit }: SearchQuery,
  ): Promise<Success<SearchResults>> {
    return { success: true, ...(await this.searches.search({ accountId: account.id, text: q, limit })) };
  }
}
