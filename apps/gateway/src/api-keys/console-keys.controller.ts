import { Body, Controller, Get, Header, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Answer,
  AppError,
  BodySchema,
  Doc,
  IsNotBlank,
  IsPlainName,
  IsStorableText,
  IsTime,
  ListOf,
  Nested,
  OrNull,
} from '@switchboard/contracts';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  MinLength,
  Min,
} from 'class-validator';
import { Roles } from '../decorators/roles.decorator';
import { KEY_STATES, type KeyChange, type KeyRecord, KeysService, type KeyState } from './keys.service';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { requireId } from '../http/path-ids';
import { requireRoutes } from './route-rules';
import { RouteTable } from '../http/route-table';
import { CursorQuery } from '../pagination/page-query';
import { IsOneOf } from '../pagination/query-rules';
import { ApiAnswer, ApiBodies, ApiCursorPaging, ApiFilter, ApiRefusals, type Success } from '../openapi/decorators';

const ADDRESSES = 'Addresses or CIDR ranges that may use the key. An empty list allows all addresses.';
const ROUTES =
  'Routes that the key may call: a method or `*`, and a path, in which a trailing `*` matches the rest. An empty list allows all routes.';
const DEFAULT_OVERLAP_HOURS = 24;

class KeyRules {
  @Doc(ADDRESSES)
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  @MaxLength(50, { each: true })
  allowedIps?: string[];
  @Doc(ROUTES)
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  @MaxLength(200, { each: true })
  allowedRoutes?: string[];
  @Doc('Expiry time of the key; must be in the future')
  @IsOptional()
  @IsISO8601({ strict: true })
  @MaxLength(40)
  expiresAt?: string;
}

@BodySchema({
  name: 'NewApiKey',
  example: () => ({ name: 'billing server', allowedIps: ['203.0.113.0/24'], allowedRoutes: ['POST /v1/messages/*'] }),
})
class NewKeyBody extends KeyRules {
  @Doc('Purpose of the key')
  @IsString()
  @IsStorableText()
  @IsPlainName()
  @IsNotBlank()
  @MinLength(1)
  @MaxLength(100)
  name: string;
}

@BodySchema({ name: 'ApiKeyChange', example: () => ({ allowedIps: ['203.0.113.0/24'], neverExpires: true }) })
class KeyChangeBody extends KeyRules {
  @IsOptional() @IsString() @IsStorableText() @IsPlainName() @IsNotBlank() @MinLength(1) @MaxLength(100) name?: string;
  @Doc('True: the key never expires; omit `expiresAt`')
  @IsOptional()
  @IsBoolean()
  neverExpires?: boolean;
}

@BodySchema({ name: 'ApiKeyRotation', example: () => ({ overlapHours: 24 }) })
class RotationBody {
  @Doc('Hours for which the old key remains valid; 0 expires it immediately', { default: DEFAULT_OVERLAP_HOURS })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(8_760)
  overlapHours?: number;
}

@BodySchema({ name: 'ApiKey' })
class ShownKey {
  @IsString() id: string;
  @IsString() name: string;
  @IsIn(KEY_STATES) state: KeyState;
  @Doc('First characters of the key', { example: 'sb_live_4fQz' }) @IsString() prefix: string;
  @Doc('Last characters of the key', { example: 'x9Tq' }) @IsString() lastFour: string;
  @Doc(ADDRESSES) @IsArray() @IsString({ each: true }) allowedIps: string[];
  @Doc(ROUTES) @IsArray() @IsString({ each: true }) allowedRoutes: string[];
  @OrNull() @IsTime() expiresAt: Date | null;
  @OrNull() @IsTime() revokedAt: Date | null;
  @Doc('Time of the last use, accurate to the minute. Null if the key was never used')
  @OrNull()
  @IsTime()
  lastUsedAt: Date | null;
  @IsTime() createdAt: Date;
}

@Answer()
class ApiKeyList {
  @ListOf(() => ShownKey) keys: ShownKey[];
  @OrNull() @IsString() nextCursor: string | null;
}

@Answer()
class ApiKeyAnswer {
  @Nested(() => ShownKey) key: ShownKey;
}

@Answer()
class IssuedApiKey {
  @Doc('Full key. Shown only once') @IsString() apiKey: string;
  @Nested(() => ShownKey) key: ShownKey;
}

@Answer()
class RotatedApiKey {
  @Doc('Full new key. Shown only once') @IsString() apiKey: string;
  @Nested(() => ShownKey) key: ShownKey;
  @Doc('The old key with its expiry time') @Nested(() => ShownKey) replaced: ShownKey;
}

@BodySchema({ name: 'ApiRoute' })
class ShownRoute {
  @Doc(undefined, { example: 'POST' }) @IsString() method: string;
  @Doc(undefined, { example: '/v1/messages/text' }) @IsString() path: string;
}

@Answer()
class ApiRouteList {
  @ListOf(() => ShownRoute) routes: ShownRoute[];
}

class KeysQuery extends CursorQuery {
  @IsOptional() @IsOneOf(KEY_STATES) state?: KeyState;
}

@ApiTags('API keys')
@Controller('console/v1')
export class ConsoleKeysController {
  constructor(
    private readonly keys: KeysService,
    private readonly table: RouteTable,
  ) {}

  @Get('keys')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'listApiKeys',
    summary: 'List API keys, newest first; keys themselves are never returned',
  })
  @ApiCursorPaging()
  @ApiFilter('state', { type: 'string', enum: KEY_STATES })
  @ApiAnswer(ApiKeyList)
  @ApiRefusals()
  async list(
    @SignedIn() { account }: ConsoleUser,
    @Query() { limit, cursor: before, state }: KeysQuery,
  ): Promise<Success<ApiKeyList>> {
    const keys = await withinDatabaseDeadline(this.keys.listKeys(account.id, { state, limit, before }));
    return {
      success: true,
      keys: keys.map(shown),
      nextCursor: keys.length === limit ? (keys.at(-1)?.keyId ?? null) : null,
    };
  }

  @Get('keys/:keyId')
  @Roles('viewer')
  @ApiOperation({ operationId: 'getApiKey', summary: 'Retrieve an API key' })
  @ApiAnswer(ApiKeyAnswer)
  @ApiRefusals('NOT_FOUND')
  async show(@SignedIn() { account }: ConsoleUser, @Param('keyId') id: string): Promise<Success<ApiKeyAnswer>> {
    const place = { keyId: requireId('key', id), accountId: account.id };
    return { success: true, key: shown(await withinDatabaseDeadline(this.keys.findKey(place))) };
  }

  @Post('keys')
  @Roles('owner')
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'createApiKey', summary: 'Create an API key; the response shows it only once' })
  @ApiBodies({ json: NewKeyBody })
  @ApiAnswer(IssuedApiKey, { status: 201 })
  @ApiRefusals('MISSING_FIELD', 'TEXT_TOO_LONG', 'INVALID_VALUE')
  async create(
    @SignedIn() user: ConsoleUser,
    @Body() { name, allowedIps = [], allowedRoutes = [], expiresAt }: NewKeyBody,
  ): Promise<Success<IssuedApiKey>> {
    requireRoutes(allowedRoutes, this.apiRoutes());
    const { accountId, actor } = changeBy(user);
    const { apiKey, record } = await this.keys.createKey(
      { accountId, name, allowedIps, allowedRoutes, expiresAt: futureOf(expiresAt) },
      actor,
    );
    return { success: true, apiKey, key: shown(record) };
  }

  @Patch('keys/:keyId')
  @Roles('owner')
  @ApiOperation({
    operationId: 'changeApiKey',
    summary: 'Update the name, restrictions or expiry of a key; omitted fields are unchanged',
  })
  @ApiBodies({ json: KeyChangeBody })
  @ApiAnswer(ApiKeyAnswer)
  @ApiRefusals('MISSING_FIELD', 'TEXT_TOO_LONG', 'INVALID_VALUE', 'NOT_FOUND')
  async change(
    @SignedIn() user: ConsoleUser,
    @Param('keyId') id: string,
    @Body() body: KeyChangeBody,
  ): Promise<Success<ApiKeyAnswer>> {
    const change = changeOf(body);
    requireRoutes(change.allowedRoutes ?? [], this.apiRoutes());
    const { accountId, actor } = changeBy(user);
    return {
      success: true,
      key: shown(await this.keys.setKey({ keyId: requireId('key', id), accountId }, change, actor)),
    };
  }

  @Post('keys/:keyId/rotate')
  @Roles('owner')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'rotateApiKey',
    summary: 'Rotate an API key; the response shows the new key only once',
    description:
      'The new key has the same name, addresses, routes and expiry, and counts as the same API client. The old key remains valid until the overlap ends.',
  })
  @ApiBodies({ json: RotationBody })
  @ApiAnswer(RotatedApiKey, { status: 201 })
  @ApiRefusals('INVALID_VALUE', 'NOT_FOUND')
  async rotate(
    @SignedIn() user: ConsoleUser,
    @Param('keyId') id: string,
    @Body() { overlapHours = DEFAULT_OVERLAP_HOURS }: RotationBody,
  ): Promise<Success<RotatedApiKey>> {
    const { accountId, actor } = changeBy(user);
    const place = { keyId: requireId('key', id), accountId };
    const { apiKey, record, replaced } = await this.keys.rotateKey(place, overlapHours, actor);
    return { success: true, apiKey, key: shown(record), replaced: shown(replaced) };
  }

  @Post('keys/:keyId/revoke')
  @HttpCode(200)
  @Roles('owner')
  @ApiOperation({ operationId: 'revokeApiKey', summary: 'Revoke a key immediately; this cannot be undone' })
  @ApiAnswer(ApiKeyAnswer)
  @ApiRefusals('NOT_FOUND')
  async revoke(@SignedIn() user: ConsoleUser, @Param('keyId') id: string): Promise<Success<ApiKeyAnswer>> {
    const { accountId, actor } = changeBy(user);
    return { success: true, key: shown(await this.keys.revokeKey({ keyId: requireId('key', id), accountId }, actor)) };
  }

  @Get('api-routes')
  @Roles('viewer')
  @ApiOperation({ operationId: 'listApiRoutes', summary: 'List the routes to which a key can be restricted' })
  @ApiAnswer(ApiRouteList)
  @ApiRefusals()
  routes(): Success<ApiRouteList> {
    return {
      success: true,
      routes: this.apiRoutes().sort((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method)),
    };
  }

  private apiRoutes(): { method: string; path: string }[] {
    return this.table.routes
      .filter(({ url, method, publicBecause }) => url.startsWith('/v1/') && method !== 'HEAD' && !publicBecause)
      .map(({ method, url: path }) => ({ method, path }));
  }
}

function shown({ keyId: id, accountId: _, ...key }: KeyRecord): ShownKey {
  return { id, ...key };
}

/** @throws AppError MISSING_FIELD for an empty change, INVALID_PARAMETER for contradicting expiry options */
function changeOf({ expiresAt, neverExpires, ...change }: KeyChangeBody): KeyChange {
  if (neverExpires && expiresAt !== undefined)
    throw new AppError('INVALID_PARAMETER', { message: 'give either expiresAt or neverExpires' });
  const wanted: KeyChange = { ...change, expiresAt: neverExpires ? null : futureOf(expiresAt) };
  if (Object.values(wanted).every((value) => value === undefined))
    throw new AppError('MISSING_FIELD', { message: 'give at least one field to change' });
  return wanted;
}

/** @throws AppError INVALID_VALUE for a time in the past; `revokeApiKey` ends a key immediately */
function futureOf(expiresAt: string | undefined): Date | undefined {
  if (expiresAt === undefined) return undefined;
  const time = new Date(expiresAt);
  if (time.getTime() > Date.now()) return time;
  const message = 'expiresAt must be in the future; to end a key at once, revoke it';
  throw new AppError('INVALID_VALUE', { message, details: [{ field: 'expiresAt', message }] });
}
