import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

/** Which part of a list is asked for (decisions 6). */
export class PageRequest {
  @IsString() accountId: string;
  /** 1-based. */
  @IsInt() @Min(1) page: number;
  @IsInt() @Min(1) @Max(100) limit: number;
  /** Continues after the last item of an earlier page; takes the place of `page`. */
  @IsOptional() @IsString() cursor?: string;
}

/** What goes with the items of a page. */
export class PageReply {
  @IsInt() total: number;
  /** False when there are more than `total` and nobody counted on. */
  @IsBoolean() totalIsExact: boolean;
  @IsBoolean() hasNext: boolean;
  @IsOptional() @IsString() nextCursor: string | null;
}
