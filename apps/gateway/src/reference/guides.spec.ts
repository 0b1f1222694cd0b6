import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DescriptionNode } from './description-model';
import { CHANGELOG, GUIDES, guidePage, guidesForModels, guideSections, guidesPage } from './guides';

const DOCS = resolve(import.meta.dirname, '../../../../docs');
const pageOf = (name: string): string => guidePage(GUIDES.find((guide) => guide.name === name) ?? (undefined as never));

describe('guides', () => {
  it('are served with a title and a first paragraph', () => {
    const files = readdirSync(join(DOCS, 'guides')).filter((name) => name.endsWith('.md'));
    expect(GUIDES.map(({ name }) => `${name}.md`)).toEqual(expect.arrayContaining(files));
    for (const { title, about } of GUIDES) {
      expect([title.length > 5, about.length > 20]).toEqual([true, true]);
      expect(about).toMatch(/\.$/); // Checks that the paragraph is complete.
    }
  });

  it('mention unserved documents without a link', () => {
    expect(pageOf('connect-a-number')).toContain('All settings are in configuration.md.');
    expect(existsSync(join(DOCS, 'configuration.md'))).toBe(true);
  });

  it('show code without markup', () => {
    const html = pageOf('webhooks');
    expect(html).toContain('if (!Buffer.isBuffer(body) || !isSigned(headers, body)) return response.sendStatus(401);');
    expect(html).not.toContain('code: docs');
  });

  it('show each call of the API in all languages', () => {
    const description = JSON.parse(readFileSync(join(DOCS, 'openapi.json'), 'utf8')) as DescriptionNode;
    const html = guidePage(GUIDES.find(({ name }) => name === 'first-message') ?? (undefined as never), description);
    const shown = html
      .replace(/<[^>]+>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'");
    expect(shown).toContain("template: { name: 'hello_world', language: { code: 'en_US' } },");
    expect(shown).toContain('response = switchboard.list_messages(client_ref="order-7781")');
    expect(shown).toContain("direction: 'inbound', limit: 1 });");
    // The simulator has no client library.
    expect(html.match(/class="code sample"/g)).toHaveLength(5);
  });

  it('have searchable sections', () => {
    const sections = guideSections();
    const pages = new Map(GUIDES.map((guide) => [`/docs/guides/${guide.name}`, guidePage(guide)]));
    expect(sections.length).toBeGreaterThan(80);
    for (const { heading, href } of sections) {
      const [path = '', fragment] = href.split('#');
      expect(heading).not.toBe('');
      expect([...pages.keys()]).toContain(path);
      if (fragment) expect(pages.get(path)).toContain(`id="${fragment}"`);
    }
    const [found] = sections.filter(({ text }) => text.includes('IDEMPOTENCY_IN_PROGRESS'));
    expect(found).toEqual({
      page: 'Idempotency',
      heading: '2. The rules',
      href: '/docs/guides/idempotency#2-the-rules',
      text: expect.stringMatching(/^- Every POST accepts a key/) as string,
    });
  });

  it('include the changelog', () => {
    expect(guidePage(CHANGELOG)).toContain('<a href="/docs/changelog" aria-current="page">Changelog</a>');
    expect(guidePage(CHANGELOG)).toMatch(/<h2[^>]*>.*0\.2\.0 - 2026-11-27/);
  });

  it('are listed in the index and in llms.txt', () => {
    for (const { name, title } of GUIDES) {
      expect(guidesPage()).toContain(`<a href="/docs/guides/${name}">${title}</a>`);
      expect(guidesForModels('https://a.example', [])).toContain(
        `- [${title}](https://a.example/docs/guides/${name}.md): `,
      );
    }
  });
});
