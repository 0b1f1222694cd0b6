import { IsOptional } from 'class-validator';
import { MAX_LIMIT } from '../openapi/warnings';
import { IsCount, IsLike } from './query-rules';

const DEFAULT_LIMIT = 20;
/** Maximum page number, which keeps the index of the first item a safe integer. It is beyond the end of any list. */
const MAX_PAGE = Math.floor(Number.MAX_SAFE_INTEGER / MAX_LIMIT);
/** Format of a cursor. Only the service that creates it interprets its content. */
const CURSOR = /^[\w-]{1,512}$/;

interface CursorParameters {
  limit: number;
  cursor?: string;
}

interface PageParameters extends CursorParameters {
  page: number;
}

/**
 * Adds the parameters of a list with cursors (`@ApiCursorPaging`) to a class of filters that several handlers share:
 * `class ListMessagesQuery extends CursorPaged(MessageFilters) {}`. Other queries extend `CursorQuery` or `PageQuery`.
 * Nest's `IntersectionType` would lose the `@Transform` of `parseBody`.
 */
export function CursorPaged<Filters extends object>(filters: new () => Filters): new () => CursorParameters & Filters {
  class CursorPagedQuery extends (filters as new () => object) implements CursorParameters {
    /** Page size; larger values count as 100. */
    @IsOptional() @IsCount(MAX_LIMIT) limit = DEFAULT_LIMIT;
    @IsOptional() @IsLike(CURSOR, 'one that the API gave') cursor?: string;
  }
  return CursorPagedQuery as new () => CursorPagedQuery & Filters;
}

/** Adds the parameters of a list with pages (spec §7.1, `@ApiPaging`) to a class of filters. */
export function Paged<Filters extends object>(filters: new () => Filters): new () => PageParameters & Filters {
  class PagedQuery extends CursorPaged(filters as new () => object) implements PageParameters {
    @IsOptional() @IsCount(MAX_PAGE) page = 1;
  }
  return PagedQuery as new () => Filters & PagedQuery;
}

export class CursorQuery extends CursorPaged(Object) {}

export class PageQuery extends Paged(Object) {}
