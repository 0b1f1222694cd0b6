import { RouteTable } from '../src/http/route-table';
import { type Role, ROLES } from '../src/request-context/roles';
import { type Browser, signedIn } from './support/console';
import { type GatewayUnderTest, startGateway } from './support/gateway';

/** Roles that may use the routes below `/console/v1`. */
const ALLOWED: [roles: Role[], routes: string[]][] = [
  [
    ['viewer', 'agent', 'admin', 'owner'],
    [
      'GET /account',
      'GET /account-notices',
      'GET /api-guide',
      'GET /api-routes',
      'GET /audience',
      'GET /blocks',
      'GET /colleagues',
      'GET /contacts',
      'GET /contacts/:contactId',
      'GET /conversations',
      'GET /conversations/:phone',
      'GET /conversations/:phone/messages',
      'GET /conversations/counts',
      'GET /credits',
      'GET /events',
      'GET /figures',
      'GET /figures/hours',
      'GET /figures/prices',
      'GET /figures/prices/hours',
      'GET /first-steps',
      'GET /job-prices',
      'GET /jobs',
      'GET /jobs/:jobId',
      'GET /jobs/:jobId/recipients',
      'GET /jobs/sample.xlsx',
      'GET /keys',
      'GET /keys/:keyId',
      'GET /labels',
      'GET /me',
      'PATCH /me',
      'PUT /me/password',
      'GET /me/second-factor',
      'POST /me/second-factor',
      'POST /me/second-factor/confirm',
      'POST /me/second-factor/disable',
      'POST /me/second-factor/recovery-codes',
      'DELETE /me/sessions',
      'GET /me/sessions',
      'DELETE /me/sessions/:sessionId',
      'GET /media',
      'GET /media/:mediaId',
      'GET /messages',
      'GET /messages/:id',
      'GET /numbers',
      'GET /numbers/:numberId',
      'GET /numbers/:numberId/connection',
      'GET /numbers/:numberId/history',
      'GET /numbers/:numberId/username',
      'GET /otp/figures',
      'GET /otp/settings',
      'GET /rate-usage',
      'GET /rates',
      'DELETE /session',
      'GET /results',
      'GET /saved-replies',
      'GET /search',
      'GET /settings',
      'GET /template-drafts',
      'GET /template-drafts/:draftId',
      'GET /template-sync',
      'GET /templates',
      'GET /templates/:templateId',
      'GET /templates/:templateId/events',
      'GET /templates/header-samples/:sampleId',
      'GET /usage',
      'GET /webhook-endpoints',
      'GET /webhook-endpoints/figures',
      'GET /webhook-events',
      'GET /webhook-events/:eventId',
      'GET /webhook-replays',
      'GET /webhook-replays/:replayId',
      'GET /webhook-replays/count',
    ],
  ],
  [
    ['viewer', 'admin', 'owner'],
    [
      'GET /credits.csv',
      'GET /exports/activities.csv',
      'GET /exports/contacts.csv',
      'GET /exports/messages.csv',
      'GET /exports/notes.csv',
      'GET /jobs/:jobId/results.csv',
      'GET /jobs/:jobId/results.xlsx',
      'GET /results.csv',
    ],
  ],
  [
    ['agent', 'admin', 'owner'],
    [
      'PATCH /contacts/:contactId',
      'PATCH /contacts/:contactId/conversation',
      'POST /contacts/:contactId/opt-out',
      'POST /contacts/:contactId/notes',
      'POST /contacts/:contactId/labels/add',
      'POST /contacts/:contactId/labels/remove',
      'POST /media',
      'POST /templates/header-samples/:sampleId/media',
      'POST /messages/:id/read',
      'POST /messages/send',
      'DELETE /notes/:noteId',
      'POST /presence',
    ],
  ],
  [
    ['admin', 'owner'],
    [
      'PATCH /account',
      'POST /blocks/add',
      'POST /blocks/remove',
      'POST /contacts/:contactId/opt-in',
      'POST /jobs',
      'PATCH /jobs/:jobId',
      'POST /jobs/:jobId/cancel',
      'POST /jobs/:jobId/pause',
      'POST /jobs/:jobId/resume',
      'POST /jobs/:jobId/retry-failed',
      'POST /jobs/contacts',
      'POST /jobs/excel',
      'POST /labels',
      'DELETE /labels/:labelId',
      'PATCH /labels/:labelId',
      'DELETE /media/:mediaId',
      'DELETE /numbers/:numberId/username',
      'POST /numbers/:numberId/username',
      'POST /saved-replies',
      'DELETE /saved-replies/:replyId',
      'PATCH /saved-replies/:replyId',
      'PATCH /settings',
      'POST /template-drafts',
      'DELETE /template-drafts/:draftId',
      'PATCH /template-drafts/:draftId',
      'POST /template-drafts/:draftId/submit',
      'POST /template-sync',
      'DELETE /templates/:templateId',
      'POST /templates/:templateId/edit',
      'POST /templates/:templateId/test-sends',
      'POST /templates/header-samples',
      'POST /webhook-endpoints',
      'DELETE /webhook-endpoints/:endpointId',
      'PATCH /webhook-endpoints/:endpointId',
      'POST /webhook-endpoints/:endpointId/confirm-rotation',
      'POST /webhook-endpoints/:endpointId/enable',
      'POST /webhook-endpoints/:endpointId/pause',
      'POST /webhook-endpoints/:endpointId/rotate-secret',
      'POST /webhook-endpoints/:endpointId/test-events',
      'POST /webhook-events/:eventId/replay',
      'POST /webhook-replays',
    ],
  ],
  [
    ['owner'],
    [
      'GET /audit-log',
      'GET /audit-log/:entryId',
      'POST /contacts/erase',
      'GET /invitations',
      'POST /invitations',
      'DELETE /invitations/:invitationId',
      'POST /keys',
      'PATCH /keys/:keyId',
      'POST /keys/:keyId/revoke',
      'POST /keys/:keyId/rotate',
      'PATCH /otp/settings',
      'PATCH /settings/retention',
      'DELETE /spend-cap',
      'PUT /spend-cap',
      'GET /users',
      'PATCH /users/:userId',
      'POST /users/:userId/password-reset',
      'POST /users/:userId/second-factor-reset',
    ],
  ],
];
/** Its response does not end. */
const STREAM = 'GET /events';
/** Ends the session, so it comes last. */
const SIGN_OUT = 'DELETE /session';

describe('roles of console routes', () => {
  let gateway: GatewayUnderTest;
  let accountId: string;

  beforeAll(async () => {
    gateway = await startGateway({
      standing: ['webhooks', 'templates', 'jobs', 'otp', 'messaging'],
      settings: { CONSOLE_REQUESTS_PER_MINUTE: 100_000 },
    });
    ({ accountId } = await gateway.customer({ plan: 'scale' }));
  });
  afterAll(() => gateway.close());

  const rolesOf = new Map(ALLOWED.flatMap(([roles, routes]) => routes.map((route) => [route, roles] as const)));

  it('are listed for every route', () => {
    const served = gateway.app
      .get(RouteTable)
      .routes.filter(({ consoleRole, method }) => consoleRole && method !== 'HEAD')
      .map(({ method, url }) => `${method} ${url.replace('/console/v1', '')}`);
    expect([...rolesOf.keys()].sort()).toEqual(served.sort());
  });

  it.each(ROLES)('admit a user with the role %s only where listed', async (role) => {
    const browser: Browser = await signedIn(gateway, accountId, role);
    const routes = [...rolesOf.keys()].filter((route) => ![STREAM, SIGN_OUT].includes(route));
    for (const route of [...routes, SIGN_OUT]) {
      const [method = '', path = ''] = route.split(' ');
      const { status, body } = await browser.call(method, `/console/v1${path.replace(/:\w+/g, 'x')}`);
      const isRejected = status === 403 && body.code === 'ROLE_NOT_ALLOWED';
      expect([route, isRejected]).toEqual([route, !rolesOf.get(route)?.includes(role)]);
    }
  });
});
