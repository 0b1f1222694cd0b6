import {
  BadGatewayException,
  BadRequestException,
  type CanActivate,
  ConflictException,
  Controller,
  ForbiddenException,
  GatewayTimeoutException,
  Get,
  HttpException,
  ImATeapotException,
  InternalServerErrorException,
  MethodNotAllowedException,
  NotFoundException,
  Param,
  PayloadTooLargeException,
  Post,
  ServiceUnavailableException,
  type Type,
  UnauthorizedException,
  UnprocessableEntityException,
  UnsupportedMediaTypeException,
  UseGuards,
} from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { AppError, notFound } from '@switchboard/contracts';
import { PlatformModule } from '@switchboard/platform';
import { silentLogger } from '@switchboard/testing';
import { HttpModule } from './http.module';
import { RouteTable } from './route-table';

const DETAIL = 'internal detail';

const THROWN: readonly [exception: Type<HttpException>, status: number, code: string][] = [
  [BadRequestException, 400, 'INVALID_PARAMETER'],
  [UnauthorizedException, 401, 'UNAUTHORIZED'],
  [ForbiddenException, 403, 'ROUTE_NOT_ALLOWED'],
  [NotFoundException, 404, 'NOT_FOUND'],
  [MethodNotAllowedException, 405, 'METHOD_NOT_ALLOWED'],
  [PayloadTooLargeException, 413, 'PAYLOAD_TOO_LARGE'],
  [UnsupportedMediaTypeException, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [UnprocessableEntityException, 422, 'INVALID_VALUE'],
  [InternalServerErrorException, 500, 'INTERNAL'],
  [BadGatewayException, 502, 'UPSTREAM_ERROR'],
  [ServiceUnavailableException, 503, 'UNAVAILABLE'],
  [GatewayTimeoutException, 504, 'OUTCOME_UNKNOWN'],
  // No error code has the status of this exception.
  [ConflictException, 400, 'INVALID_PARAMETER'],
  [ImATeapotException, 400, 'INVALID_PARAMETER'],
];

class ClosedGuard implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

class AdminsGuard implements CanActivate {
  canActivate(): boolean {
    throw new AppError('ROLE_NOT_ALLOWED');
  }
}

@Controller('things')
class ThingsController {
  @Get('exceptions/:name')
  throwException(@Param('name') name: string): never {
    const [exception] = THROWN.find(([{ name: each }]) => each === name) ?? [];
    throw exception ? new exception(DETAIL) : new Error(`no exception ${name}`);
  }

  @Get('statuses/:status')
  throwStatus(@Param('status') status: string): never {
    throw new HttpException(DETAIL, Number(status));
  }

  @Get(':id')
  find(): never {
    throw notFound('thing');
  }

  @Get('guarded/closed')
  @UseGuards(ClosedGuard)
  closed(): void {}

  @Get('guarded/admins')
  @UseGuards(AdminsGuard)
  ofAdmins(): void {}

  @Post('send')
  send(): void {}
}

describe('ErrorFilter', () => {
  let app: NestFastifyApplication;

  beforeAll(async () => {
    const module = await Test.createTestingModule({
      imports: [PlatformModule.forRoot({ config: {}, logger: silentLogger }), HttpModule],
      controllers: [ThingsController],
    }).compile();
    app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter());
    const routes = app.get(RouteTable);
    app
      .getHttpAdapter()
      .getInstance()
      .addHook('onRoute', ({ method, url }) => {
        for (const each of [method].flat()) routes.add({ method: each, url });
      });
    await app.init();
  });
  afterAll(() => app.close());

  it.each(THROWN)("responds to a handler's %p with %s %s", async ({ name }, status, code) => {
    const response = await app.inject(`/things/exceptions/${name}`);
    expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([status, code]);
    expect(Object.keys(response.json())).toEqual(['success', 'message', 'code', 'details', 'requestId']);
    expect(response.payload).not.toContain(DETAIL);
  });

  it.each([
    [416, 416, 'RANGE_NOT_SATISFIABLE'],
    [429, 429, 'RATE_LIMITED'],
    [507, 500, 'INTERNAL'],
  ])('maps an exception with status %s to %s %s', async (thrown, status, code) => {
    const response = await app.inject(`/things/statuses/${thrown}`);
    expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([status, code]);
  });

  it.each([
    ['closed', 'ROUTE_NOT_ALLOWED', 'this route is not allowed'],
    ['admins', 'ROLE_NOT_ALLOWED', 'your role does not allow this'],
  ])('responds with 403 when the guard of a route is %s', async (route, code, message) => {
    const response = await app.inject(`/things/guarded/${route}`);
    expect([response.statusCode, response.json()]).toMatchObject([403, { code, message }]);
  });

  it('sends the headers that the status requires', async () => {
    const headersOf = async (name: string): Promise<Record<string, unknown>> =>
      (await app.inject(`/things/exceptions/${name}`)).headers;
    expect(await headersOf('UnauthorizedException')).toMatchObject({ 'www-authenticate': 'Bearer' });
    expect(await headersOf('ServiceUnavailableException')).toMatchObject({ 'retry-after': '2' });
    expect(await headersOf('MethodNotAllowedException')).toMatchObject({ allow: 'HEAD' });
  });

  it('includes the unknown route in a 404', async () => {
    const { statusCode, payload } = await app.inject('/nothing');
    expect([statusCode, JSON.parse(payload)]).toMatchObject([
      404,
      { message: 'not found: no such route: GET /nothing' },
    ]);
  });

  it("keeps the message of a handler's 404", async () => {
    const { statusCode, payload } = await app.inject('/things/7');
    expect([statusCode, JSON.parse(payload)]).toMatchObject([404, { message: 'not found: no such thing' }]);
  });

  it('returns 405 for a route name in place of an id', async () => {
    const { statusCode, headers, payload } = await app.inject('/things/send');
    expect([statusCode, headers['allow']]).toEqual([405, 'POST']);
    expect(JSON.parse(payload)).toMatchObject({ code: 'METHOD_NOT_ALLOWED', message: 'method not allowed: use POST' });
  });
});
