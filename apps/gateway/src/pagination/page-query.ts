import { IsOptional } from 'class-validator';
import { MAX_LIMIT } from '../openapi/warnings';
import { IsCount, IsLike } from './query-rules';

const DEFAULT_LIMIT = 20;
/** The index of its first item is a safe integer. No list is so long: a larger number is as far past its end. */
const MAX_PAGE = Math.floor(Number.MAX_SAFE_INTEGER / MAX_LIMIT);
/** The content of a cursor concerns the responding service alone. */
const CURSOR = /^[\w-]{1,512}$/;

/** The query of a list that is read from page to page only (`@ApiCursorPaging`). */
export class CursorQuery {
  /** A larger number counts as 100. */
  @IsOptional() @IsCount(MAX_LIMIT) limit = DEFAULT_LIMIT;
  @IsOptional() @IsLike(CURSOR, 'one that the API gave') cursor?: string;
}

/** The query of a list with pages (spec §7.1, `@ApiPaging`). */
export class PageQuery extends CursorQuery {
  @IsOptional() @IsCount(MAX_PAGE) page = 1;
}
