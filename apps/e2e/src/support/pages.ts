import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { eventually } from '@switchboard/testing';
import { newAccount, type TestAccount, newUser } from './account';
import { addressOf, type Visitor, type WatchedPage } from './browser';
import { signIn } from './console';
import { freshPhone, writeIn } from './simulator';
import { listenFor } from './webhooks';

const ROUTES = resolve(import.meta.dirname, '../../../dashboard/src/routes.tsx');
const PAGE_LINE = /^\s*page\(\s*'([^']+)'/gm;
const OPTIONAL_PART = /\/\{-(\$\w+)\}$/;

/**
 * Routes of the dashboard, parsed from its router so that no new page is missed. A route with an optional part yields
 * two routes.
 */
export const ROUTE_PATHS: readonly string[] = [...readFileSync(ROUTES, 'utf8').matchAll(PAGE_LINE)]
  .map(([, path = '']) => path)
  .flatMap((path) =>
    OPTIONAL_PART.test(path) ? [path.replace(OPTIONAL_PART, ''), path.replace(OPTIONAL_PART, '/$1')] : path,
  );

/** Account with data for every page. */
export interface BusyAccount extends TestAccount {
  owner: Visitor;
  /** Ids by route parameter. Other ids are taken from links in the lists. */
  ids: Record<string, string>;
  /** Id of the account's webhook endpoint. */
  endpointId: string;
  close(): Promise<unknown>;
}

/** Creates an account with a key, a template, a draft, messages both ways, a held job, an endpoint and its events. */
export async function newBusyAccount(name: string): Promise<BusyAccount> {
  const account = await newAccount(name);
  const [owner, listener] = await Promise.all([newUser(account.accountId), listenFor(account.accountId)]);
  const phone = freshPhone();
  await writeIn(phone, 'Where is my parcel?', { to: account.phoneNumber });
  const console = await signIn(owner.email, owner.password);
  const draft = await console.call('POST', '/template-drafts', {
    name: 'half_written',
    language: 'en_US',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Your parcel is on its way.' }],
  });
  await eventually(() => account.api.sendMessage({ to: phone, type: 'text', text: { body: 'At your door.' } }));
  await account.api.updateContact({ phone, labels: ['VIP'] });
  const hello = { name: 'hello_world', language: { code: 'en_US' } };
  const job = await eventually(() =>
    account.api.sendBulk({ recipients: [freshPhone(), '12'], type: 'template', template: hello, hold: true }),
  );
  const firstOf = (path: string, list: string) =>
    eventually(async () => {
      const [first] = (await console.call('GET', path)).body[list] as { id: string }[];
      if (!first) throw new Error(`${path} lists nothing yet`);
      return first.id;
    });
  return {
    ...account,
    owner,
    ids: {
      draftId: (draft.body['draft'] as { id: string }).id,
      templateId: await firstOf('/templates?name=hello_world', 'templates'),
      eventId: await firstOf('/webhook-events', 'events'),
      keyId: await firstOf('/keys', 'keys'),
      jobId: job.jobId,
    },
    endpointId: await firstOf('/webhook-endpoints', 'endpoints'),
    close: () => listener.receiver.close(),
  };
}

/** @returns the URLs of all routes for this account, with its own ids */
export async function addressesFor(page: WatchedPage, { ids }: BusyAccount): Promise<Map<string, string>> {
  const addresses = new Map<string, string>();
  for (const route of ROUTE_PATHS) addresses.set(route, await addressFor(page, route, ids));
  return addresses;
}

async function addressFor(page: WatchedPage, route: string, ids: Record<string, string>): Promise<string> {
  const known = route.replace(/\$(\w+)/g, (part, name: string) => ids[name] ?? part);
  if (!known.includes('$')) return known;
  const list = ROUTE_PATHS.filter((path) => !path.includes('$') && path !== '/' && known.startsWith(`${path}/`)).at(-1);
  if (list === undefined) throw new Error(`no list leads to ${route}: give an id of it in support/pages.ts`);
  const shape = new RegExp(`/dashboard(${known.replace(/\$\w+/g, '[^/?#]+')})(?:[?#]|$)`);
  await page.goto(addressOf(list));
  return eventually(async () => {
    const links = await page.locator('#main a').all();
    const found = await Promise.all(
      links.map(async (link) => shape.exec((await link.getAttribute('href')) ?? '')?.[1]),
    );
    const address = found.find((path) => path !== undefined && !ROUTE_PATHS.includes(path));
    if (address === undefined) throw new Error(`${list} shows no link to ${route}: let newBusyAccount make one`);
    return address;
  });
}

/** Opens a page and waits until it shows its data. */
export async function openAndWait(page: WatchedPage, path: string): Promise<void> {
  await page.goto(addressOf(path));
  await waitForPage(page);
}

export async function waitForPage(page: WatchedPage): Promise<void> {
  await page.locator('h1, [role="alert"]').first().waitFor();
  await eventually(async () => expect(await page.locator('[aria-busy="true"]').count()).toBe(0));
}

/** Overlays of pages, each given by the route and the buttons to press in order. */
export const OVERLAYS: readonly (readonly [route: string, ...press: string[]])[] = [
  ['/', 'Search or jump to a page'],
  ['/keys', 'Create key'],
  ['/keys/$keyId', 'Edit'],
  ['/keys/$keyId', 'Rotate'],
  ['/keys/$keyId', 'Revoke'],
  ['/team', 'Invite'],
  ['/team', 'Actions for Ravi'],
  ['/team', 'Actions for Ravi', 'Change role'],
  ['/team', 'Actions for Ravi', 'Create password reset link'],
  ['/profile', 'Set up'],
  ['/integrations/messaging/webhook-settings', 'Add endpoint'],
  ['/integrations/webhook-log', 'Replay dropped'],
  ['/templates/$templateId', 'Test send'],
  ['/messages', 'Export'],
  ['/saved-replies', 'New saved reply'],
  ['/jobs/$jobId', 'Cancel job'],
  ['/jobs/$jobId', 'Download'],
  ['/jobs/$jobId', 'Rename'],
  ['/contacts/$contactId', 'Block'],
  ['/settings', 'Actions for VIP'],
  ['/settings', 'Actions for VIP', 'Edit'],
];
