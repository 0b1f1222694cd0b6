import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router';
import { Empty, PageHead } from './components/display';
import { CircleHelp } from 'lucide-react';
import { loadPatiently, PageOnItsWay } from './shell/page-loader';
import { Shell } from './shell/shell';

const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => (
    <div className="page narrow">
      <PageHead title="Not found" />
      <Empty
        icon={CircleHelp}
        title="Page not found"
        action={
          <Link className="btn" to="/">
            Go to the overview
          </Link>
        }
      >
        The address may be mistyped, or the page does not exist in this version.
      </Empty>
    </div>
  ),
});

type Search = Record<string, string | undefined>;

const page = (path: string, load: () => Promise<{ Page: RouteComponent }>) =>
  createRoute({
    getParentRoute: () => root,
    path,
    validateSearch: (search: Search) => search,
    component: lazyRouteComponent(() => loadPatiently(load), 'Page'),
  });

/** Each page is a separate chunk. A list and its side panel are one page: the parameter in braces is optional. */
const pages = [
  page('/', () => import('./features/overview/overview')),
  page('/conversations', () => import('./features/conversations/conversations')),
  page('/conversations/$phone', () => import('./features/conversations/conversations')),
  page('/messages', () => import('./features/messages/messages')),
  page('/messages/$messageId', () => import('./features/messages/messages')),
  page('/contacts', () => import('./features/contacts/contacts')),
  page('/contacts/blocked', () => import('./features/contacts/blocked')),
  page('/contacts/$contactId', () => import('./features/contacts/contacts')),
  page('/saved-replies', () => import('./features/saved-replies/saved-replies')),
  page('/templates', () => import('./features/templates/templates')),
  page('/templates/drafts/$draftId', () => import('./features/templates/editor/template-editor')),
  page('/templates/new', () => import('./features/templates/template-new')),
  page('/templates/$templateId', () => import('./features/templates/template')),
  page('/jobs', () => import('./features/jobs/jobs')),
  page('/jobs/new', () => import('./features/jobs/job-new')),
  page('/jobs/$jobId', () => import('./features/jobs/job')),
  page('/integrations/messaging/webhook-settings', () => import('./features/webhooks/webhook-settings')),
  page('/integrations/webhook-log/replays', () => import('./features/webhooks/webhook-replays')),
  page('/integrations/webhook-log/{-$eventId}', () => import('./features/webhooks/webhook-log')),
  page('/keys/{-$keyId}', () => import('./features/api-keys/keys')),
  page('/api-guide', () => import('./features/api-guide/api-guide')),
  page('/one-time-passwords', () => import('./features/one-time-passwords/one-time-passwords')),
  page('/search', () => import('./features/search/search')),
  page('/numbers', () => import('./features/numbers/numbers')),
  page('/numbers/$numberId', () => import('./features/numbers/numbers')),
  page('/results', () => import('./features/results/results')),
  page('/usage', () => import('./features/usage/usage')),
  page('/settings', () => import('./features/settings/settings')),
  page('/team', () => import('./features/team/team')),
  page('/audit/{-$entryId}', () => import('./features/audit/audit')),
  page('/profile', () => import('./features/profile/profile')),
];

export const router = createRouter({
  routeTree: root.addChildren(pages),
  basepath: '/dashboard',
  defaultPreload: 'intent',
  defaultPendingComponent: PageOnItsWay,
  // Keep all values as plain strings, as a user would type them.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search: Search) => {
    const given = Object.entries(search).filter((entry): entry is [string, string] => Boolean(entry[1]));
    return given.length > 0 ? `?${new URLSearchParams(given).toString()}` : '';
  },
});
