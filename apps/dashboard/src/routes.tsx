import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  type RouteComponent,
  useNavigate,
  useRouterState,
  useSearch,
} from '@tanstack/react-router';
import { Empty, PageHead } from './kit/display';
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
        title="There is no such page"
        action={
          <Link className="btn" to="/">
            Go to the overview
          </Link>
        }
      >
        The address may be mistyped, or belong to a page that this version does not have.
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

/** Each page is a chunk of its own. A list and the panel beside it are one page: the part in braces may be absent. */
const pages = [
  page('/', () => import('./pages/overview')),
  page('/conversations', () => import('./pages/conversations')),
  page('/conversations/$phone', () => import('./pages/conversations')),
  page('/messages', () => import('./pages/messages')),
  page('/messages/$messageId', () => import('./pages/messages')),
  page('/contacts', () => import('./pages/contacts')),
  page('/contacts/blocked', () => import('./pages/blocked')),
  page('/contacts/$contactId', () => import('./pages/contacts')),
  page('/templates', () => import('./pages/templates')),
  page('/templates/drafts/$draftId', () => import('./pages/template-editor')),
  page('/templates/new', () => import('./pages/template-new')),
  page('/templates/$templateId', () => import('./pages/template')),
  page('/jobs', () => import('./pages/jobs')),
  page('/jobs/new', () => import('./pages/job-new')),
  page('/jobs/$jobId', () => import('./pages/job')),
  page('/integrations/messaging/webhook-settings', () => import('./pages/webhook-settings')),
  page('/integrations/webhook-log/replays', () => import('./pages/webhook-replays')),
  page('/integrations/webhook-log/{-$eventId}', () => import('./pages/webhook-log')),
  page('/keys/{-$keyId}', () => import('./pages/keys')),
  page('/api-guide', () => import('./pages/api-guide')),
  page('/one-time-passwords', () => import('./pages/one-time-passwords')),
  page('/numbers', () => import('./pages/numbers')),
  page('/numbers/$numberId', () => import('./pages/numbers')),
  page('/usage', () => import('./pages/usage')),
  page('/settings', () => import('./pages/settings')),
  page('/team', () => import('./pages/team')),
  page('/audit/{-$entryId}', () => import('./pages/audit')),
  page('/profile', () => import('./pages/profile')),
];

export const router = createRouter({
  routeTree: root.addChildren(pages),
  basepath: '/dashboard',
  defaultPreload: 'intent',
  defaultPendingComponent: PageOnItsWay,
  // Every value is a text, as somebody would type it into the address.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search: Search) => {
    const given = Object.entries(search).filter((entry): entry is [string, string] => Boolean(entry[1]));
    return given.length > 0 ? `?${new URLSearchParams(given).toString()}` : '';
  },
});

/**
 * The filters of a list, which stand in the address: they survive a reload, the back button and a copied link. What is
 * typed takes the place of the entry in the history, so that the back button leaves the list at once.
 */
export function useFilters(): [filters: Search, change: (changed: Search, how?: { isTyped: boolean }) => void] {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  return [
    search,
    (changed, { isTyped } = { isTyped: false }) =>
      void navigate({ to: '.', search: { ...search, ...changed }, replace: isTyped }),
  ];
}

/** @returns the value of a part of the address, such as `$keyId` */
export function usePart(name: string): string | undefined {
  return useRouterState({
    select: ({ matches }) => (matches.at(-1)?.params as Record<string, string> | undefined)?.[name],
  });
}
