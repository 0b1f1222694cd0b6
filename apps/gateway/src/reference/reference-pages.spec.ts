import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { type DescriptionNode, operationsOf } from './description-model';
import { CHANGELOG, GUIDES, guidePage, guidesPage } from './guides';
import { referencePages } from './reference-pages';
import { guideEntries, type SearchEntry, searchIndex } from './search-entries';
import { SITE_FILES } from './site';

const ROOT = resolve(import.meta.dirname, '../../../..');
const description = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as DescriptionNode;
const KB = 1024;
const compressed = (content: string | Buffer): number =>
  brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;
const file = (name: string): Buffer => new Map(SITE_FILES).get(name)?.body ?? Buffer.alloc(0);

describe('reference pages', () => {
  const rendered = [...referencePages(description, [])];
  const pages = new Map<string, string>([
    ...rendered.map(({ path, html }): [string, string] => [`/${path}`, html]),
    ...GUIDES.map((guide): [string, string] => [`/docs/guides/${guide.name}`, guidePage(guide)]),
    ['/docs/guides', guidesPage()],
    ['/docs/changelog', guidePage(CHANGELOG)],
  ]);
  const entries: SearchEntry[] = [...rendered.flatMap((page) => page.entries), ...guideEntries()];
  const pageOf = (path: string): string => pages.get(path) ?? '';
  const isThere = (href: string, from: string): boolean => {
    const [path = '', fragment] = href.split('#');
    const html = pages.get(path || from);
    return html !== undefined && (!fragment || html.includes(` id="${decodeURIComponent(fragment)}"`));
  };

  it('describe every operation with its path, samples and errors', () => {
    const operations = operationsOf(description);
    expect(operations.length).toBeGreaterThan(30);
    for (const { operationId, tags, path } of operations) {
      const html = pageOf(`/docs/reference/${(tags?.[0] ?? '').toLowerCase().replace(/\W+/g, '-')}`);
      const [, section = ''] = html.split(`<section class="operation split" id="${operationId}"`);
      const [own = ''] = section.split('<section ');
      expect(own).toContain(path.replace(/\{.*/, '').replaceAll('/', '<wbr>/'));
      for (const language of ['curl', 'typescript', 'python'])
        expect(own).toContain(`<pre tabindex="0" data-language="${language}"`);
      expect(own).toContain('<a href="/docs/reference/errors#UNAUTHORIZED">');
    }
  });

  it('describe fields with type, limits, values and example', () => {
    const html = pageOf('/docs/reference/messages');
    expect(html).toContain(
      '<li id="listMessages.direction"><a class="name" href="#listMessages.direction">direction</a><span class="type">string</span><p class="limits"><span>One of <code>inbound</code>, <code>outbound</code></span></p></li>',
    );
    expect(html).toMatch(
      /<li id="sendMessage\.to">.*?<span class="required">required<\/span>.*?Example <code>919812345678<\/code>/,
    );
    expect(html).toMatch(/<li id="sendMessage\.clientRef">.*?At most 128 characters/);
    expect(html).toMatch(/<li id="listMessages\.limit">.*?Default <code>20<\/code>/);
    expect(html).toMatch(/<li id="Message\.messageId">.*?<span class="deprecated">/);
  });

  it('describe alternatives by their type, and shared objects once', () => {
    const html = pageOf('/docs/reference/messages');
    expect(html).toContain('<summary><code>type</code> is <code>template</code></summary>');
    expect(html).toContain('<li id="sendMessage:template.template.name">');
    expect(html).toContain('array of <a href="#Message">Message</a>');
    expect(html.split('<li id="Message.direction">')).toHaveLength(2);
    expect(html).not.toContain('getMessage-response.message.direction');
  });

  it('show an example of every successful JSON response and every event', () => {
    const missing = operationsOf(description).filter(({ operationId, responses, tags }) => {
      const isJson = (responses['200'] ?? responses['201'])?.content?.['application/json'];
      const html = pageOf(`/docs/reference/${(tags?.[0] ?? '').toLowerCase().replace(/\W+/g, '-')}`);
      return isJson && !new RegExp(`id="response-${operationId}".*?<option value="0">20[01]</option>`).test(html);
    });
    expect(missing.map(({ operationId }) => operationId)).toEqual([]);
    const events = pageOf('/docs/reference/events');
    for (const name of Object.keys(description.webhooks))
      expect(events).toMatch(new RegExp(`id="${name}"[^]*?<code>{`));
  });

  it('list every error code with its status', () => {
    const html = pageOf('/docs/reference/errors');
    for (const code of Object.keys(description.components.examples))
      expect(html).toMatch(new RegExp(`<tr id="${code}"><td><span class="status">\\d{3}</span></td>`));
  });

  it('link to existing pages and anchors', () => {
    const broken: string[] = [];
    for (const [path, html] of pages)
      for (const [, href = ''] of html.matchAll(/<a [^>]*?href="([^"]+)"/g))
        if (
          !/^(https?:|\/dashboard|\/v1\/openapi\.json$|\/docs\/postman\.json$|\/llms\.txt$)/.test(href) &&
          !isThere(href, path)
        )
          broken.push(`${path} links to ${href}`);
    expect(broken).toEqual([]);
    expect(entries.filter(({ href }) => !isThere(href, ''))).toEqual([]);
  });

  it('have unique ids and no inline code or styles', () => {
    for (const { path, html } of rendered) {
      const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect({ path, twice: ids.filter((id, index) => ids.indexOf(id) !== index) }).toEqual({ path, twice: [] });
      expect(html).not.toMatch(/<style|<script(?! src)| style="| on\w+="/);
    }
  });

  it('index operations, events, errors, fields and guides for the search', () => {
    const titles = (kind: string): string[] => entries.filter((entry) => entry.kind === kind).map(({ title }) => title);
    expect(titles('operation')).toContain('Send one message');
    expect(titles('event')).toContain('message_status');
    expect(titles('error')).toContain('WINDOW_CLOSED');
    expect(titles('field')).toContain('clientRef');
    expect(titles('guide')).toContain('3. Check the signature');
    expect(entries.find(({ href }) => href.endsWith('#sendMessage:template.template.name'))?.context).toBe(
      'Send one message › template',
    );
  });

  it('stay within their budgets', () => {
    for (const { path, html } of rendered) {
      expect({ path, isLight: html.length < 500 * KB && compressed(html) < 40 * KB }).toEqual({ path, isLight: true });
    }
    expect(compressed(searchIndex(entries))).toBeLessThan(110 * KB);
    expect(compressed(Buffer.concat([file('site.js'), file('theme.js')]))).toBeLessThan(5 * KB);
    expect(compressed(file('site.css'))).toBeLessThan(8 * KB);
    const [font] = SITE_FILES.filter(([name]) => name.endsWith('.woff2')).map(([, { body }]) => body.length);
    expect(font).toBeLessThan(50 * KB);
  });
});
