import 'reflect-metadata';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { ConsoleUser } from '../request-context/console-user';
import type { Role } from '../request-context/roles';
import { ApiKeyGuard } from './api-key.guard';
import { PlanFeatureGuard } from './plan-feature.guard';
import { Public } from '../decorators/public.decorator';
import { RateLimitGuard } from './rate-limit.guard';
import { mediaByLink, mediaByUpload, RequireFeature } from '../decorators/require-feature.decorator';
import { Roles } from '../decorators/roles.decorator';
import { RolesGuard } from './roles.guard';
import { SessionGuard } from './session.guard';

class Routes {
  ofKeys(): void {}
  @Public('of the test') open(): void {}
  @Public('of the test', { perAddress: { limit: 1, windowMs: 1_000, burst: 1 } }) limited(): void {}
  @Roles('admin') ofAdmins(): void {}
  @RequireFeature('BULK_EXCEL') ofBulk(): void {}
  @RequireFeature(mediaByUpload, mediaByLink) send(): void {}
}

/** Creates the context of a request with the fields that hooks have set. */
function contextOf(route: keyof Routes, request: object = {}): ExecutionContext {
  return {
    getHandler: () => Routes.prototype[route],
    getClass: () => Routes,
    switchToHttp: () => ({
      getRequest: () => ({ headers: {}, client: null, consoleUser: null, plan: null, ...request }),
    }),
  } as unknown as ExecutionContext;
}

const reflector = new Reflector();
const none = {} as never;
const userOf = (role: Role): { consoleUser: ConsoleUser } => ({
  consoleUser: { role, account: { id: 'acc_1' } } as ConsoleUser,
});
const clientWith = (...features: string[]): object => ({ client: { plan: { features } } });

/** Returns whether the guard admits the request, or else the error code. */
async function resultOf(guard: CanActivate, context: ExecutionContext): Promise<unknown> {
  try {
    return await guard.canActivate(context);
  } catch (error) {
    return (error as { code?: string }).code ?? (error as Error).message;
  }
}

describe('ApiKeyGuard', () => {
  const guard = new ApiKeyGuard(none, none, reflector);

  it('rejects a request that no hook has authenticated', async () => {
    expect(await resultOf(guard, contextOf('ofKeys'))).toBe('UNAUTHORIZED');
    expect(await resultOf(guard, contextOf('ofKeys', userOf('owner')))).toBe('UNAUTHORIZED');
    expect(await resultOf(guard, contextOf('ofKeys', clientWith()))).toBe(true);
  });

  it('requires no key on routes with @Public() or @Roles()', async () => {
    expect(await resultOf(guard, contextOf('open'))).toBe(true);
    expect(await resultOf(guard, contextOf('ofAdmins'))).toBe(true);
  });
});

describe('SessionGuard', () => {
  const guard = new SessionGuard(none, none, reflector);

  it('rejects a request that no hook has authenticated, even with a key', async () => {
    expect(await resultOf(guard, contextOf('ofAdmins'))).toBe('UNAUTHORIZED');
    expect(await resultOf(guard, contextOf('ofAdmins', clientWith()))).toBe('UNAUTHORIZED');
    expect(await resultOf(guard, contextOf('ofAdmins', userOf('admin')))).toBe(true);
  });

  it('requires no session on other routes', async () => {
    expect(await resultOf(guard, contextOf('ofKeys'))).toBe(true);
    expect(await resultOf(guard, contextOf('open'))).toBe(true);
  });
});

describe('RolesGuard', () => {
  const guard = new RolesGuard(reflector);

  it('rejects roles below that of the route', async () => {
    expect(await resultOf(guard, contextOf('ofAdmins', userOf('viewer')))).toBe('ROLE_NOT_ALLOWED');
    expect(await resultOf(guard, contextOf('ofAdmins', userOf('admin')))).toBe(true);
    expect(await resultOf(guard, contextOf('ofAdmins', userOf('owner')))).toBe(true);
  });

  it('rejects a request without a user', async () => {
    expect(await resultOf(guard, contextOf('ofAdmins', clientWith()))).toBe('ROLE_NOT_ALLOWED');
  });
});

describe('RateLimitGuard', () => {
  const guard = new RateLimitGuard(none, none, reflector);

  it('rejects a request that no hook has counted', async () => {
    const rejection = expect.stringContaining('no hook has counted') as string;
    for (const route of ['ofKeys', 'ofAdmins', 'limited'] as const) {
      expect(await resultOf(guard, contextOf(route))).toEqual(rejection);
      expect(await resultOf(guard, contextOf(route, { isCounted: true }))).toBe(true);
    }
  });

  it('admits uncounted requests to public routes without a limit', async () => {
    expect(await resultOf(guard, contextOf('open'))).toBe(true);
  });
});

describe('PlanFeatureGuard', () => {
  const planOf = jest.fn(() => Promise.resolve({ features: ['BULK_EXCEL'] }));
  const guard = new PlanFeatureGuard({ planOf } as never, reflector);

  it('rejects a client whose plan lacks the feature', async () => {
    expect(await resultOf(guard, contextOf('ofBulk', clientWith('MEDIA')))).toBe('FEATURE_NOT_IN_PLAN');
    expect(await resultOf(guard, contextOf('ofBulk', clientWith('BULK_EXCEL')))).toBe(true);
  });

  it("reads a user's plan only once, when needed", async () => {
    planOf.mockClear();
    const request = { headers: {}, body: { type: 'image' }, client: null, plan: null, ...userOf('admin') };
    await guard.requireFeatures(request as never, [() => undefined]);
    expect(planOf).not.toHaveBeenCalled();
    await guard.requireFeatures(request as never, ['BULK_EXCEL']);
    await expect(guard.requireFeatures(request as never, [mediaByLink])).rejects.toMatchObject({
      code: 'FEATURE_NOT_IN_PLAN',
    });
    expect(planOf.mock.calls).toEqual([['acc_1']]);
  });

  it('decides by the body whether a send needs MEDIA', async () => {
    const asked = (request: object): ExecutionContext => contextOf('send', { ...clientWith(), ...request });
    expect(await resultOf(guard, asked({ body: { type: 'image' } }))).toBe('FEATURE_NOT_IN_PLAN');
    expect(await resultOf(guard, asked({ body: { type: 'text' } }))).toBe(true);
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    expect(await resultOf(guard, asked({ headers }))).toBe('FEATURE_NOT_IN_PLAN');
  });

  it('rejects a request without a caller', async () => {
    expect(await resultOf(guard, contextOf('ofBulk'))).toBe('UNAUTHORIZED');
  });
});
