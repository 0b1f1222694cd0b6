import { Marked, type Token, type Tokens } from 'marked';
import { samplePanel } from './code-panels';
import type { DescriptionNode } from './description-model';
import { guideSample } from './guide-samples';
import { escaped, plainText } from './html';
import type { PackedClient } from './packed-clients';
import { sitePage } from './site';
/* eslint-disable @nx/enforce-module-boundaries, no-restricted-imports -- documents belong to no project, and the bundle
   contains their text */
import changelog from '../../../../CHANGELOG.md';
import bulkAndSpreadsheets from '../../../../docs/guides/bulk-and-spreadsheets.md';
import connectANumber from '../../../../docs/guides/connect-a-number.md';
import customers from '../../../../docs/guides/customers.md';
import errorsAndRetries from '../../../../docs/guides/errors-and-retries.md';
import firstMessage from '../../../../docs/guides/first-message.md';
import goingLive from '../../../../docs/guides/going-live.md';
import idempotency from '../../../../docs/guides/idempotency.md';
import limits from '../../../../docs/guides/limits.md';
import media from '../../../../docs/guides/media.md';
import oneTimePasswords from '../../../../docs/guides/one-time-passwords.md';
import templates from '../../../../docs/guides/templates.md';
import testing from '../../../../docs/guides/testing.md';
import webhooks from '../../../../docs/guides/webhooks.md';
import spec from '../../../../docs/spec.md';
/* eslint-enable @nx/enforce-module-boundaries, no-restricted-imports */

/** Document from docs/ that the gateway serves. */
export interface Guide {
  name: string;
  title: string;
  /** First paragraph of the document. */
  about: string;
  markdown: string;
}

/** Guides in reading order. */
export const GUIDES: readonly Guide[] = [
  guide('first-message', firstMessage),
  guide('templates', templates),
  guide('webhooks', webhooks),
  guide('customers', customers),
  guide('bulk-and-spreadsheets', bulkAndSpreadsheets),
  guide('one-time-passwords', oneTimePasswords),
  guide('media', media),
  guide('errors-and-retries', errorsAndRetries),
  guide('idempotency', idempotency),
  guide('limits', limits),
  guide('testing', testing),
  guide('going-live', goingLive),
  guide('connect-a-number', connectANumber),
  guide('spec', spec),
];

/** Changelog, for integrators and operators. */
export const CHANGELOG: Guide = guide('changelog', changelog);

function guide(name: string, markdown: string): Guide {
  const [, title = name, paragraph = ''] = /^# (.+)\n+((?:.+\n)+)/.exec(markdown) ?? [];
  return { name, title, about: paragraph.trim().replaceAll('\n', ' '), markdown };
}

/** Searchable section of a guide. */
export interface Section {
  page: string;
  heading: string;
  href: string;
  text: string;
}

/** Returns the sections of all guides, each from one heading to the next. */
export function guideSections(): Section[] {
  return GUIDES.flatMap(({ name, title, markdown }) => {
    const sections: Section[] = [];
    for (const token of marked.lexer(markdown)) {
      if (token.type === 'heading') {
        const fragment = sections.length === 0 ? '' : `#${anchorOf(token.text as string)}`;
        const href = `/docs/guides/${name}${fragment}`;
        sections.push({ page: title, heading: plainText(token.text as string), href, text: '' });
        continue;
      }
      const section = sections.at(-1);
      if (section && token.type !== 'html') section.text += ` ${wordsOf(token.raw)}`;
    }
    return sections.map((section) => ({ ...section, text: section.text.trim() }));
  });
}

/** Returns the text of a block without code fences and table markup. */
function wordsOf(raw: string): string {
  return plainText(raw)
    .replace(/^\w*\n/, '')
    .replace(/[|\s]+/g, ' ')
    .replace(/(?:-{3,} ?)+/g, '');
}

/**
 * Renders the page of a guide. Links to other guides are rewritten; links to documents that are not served become plain
 * text.
 */
export function guidePage({ name, title, markdown }: Guide, description?: DescriptionNode): string {
  const content = description ? withSamples(markdown, description) : blockMarkdown(markdown);
  return page(title, name === CHANGELOG.name ? 'changelog' : 'guides', name, content);
}

/** Renders a document whose calls of the API have switches for the language, as in the reference. */
function withSamples(markdown: string, description: DescriptionNode): string {
  let number = 0;
  return marked
    .lexer(markdown)
    .map((token) => {
      const sample = isCommand(token) ? guideSample(token.text, description) : undefined;
      return sample ? samplePanel([sample], `call-${(number += 1)}`) : inFrames(marked.parser([token]));
    })
    .join('');
}

const isCommand = (token: Token): token is Tokens.Code => token.type === 'code' && (token as Tokens.Code).lang === 'sh';

/** Renders the index of the guides. */
export function guidesPage(): string {
  const items = GUIDES.map(
    (each) =>
      `<h2><a href="/docs/guides/${each.name}">${escaped(each.title)}</a></h2><p class="about">${inlineMarkdown(each.about)}</p>`,
  );
  const more =
    'For your tools: the <a href="/v1/openapi.json">API description</a> (OpenAPI), a <a href="/docs/postman.json">Postman collection</a>, and an <a href="/llms.txt">index for language models</a>.';
  return page('Guides', 'guides', undefined, `<h1>Guides</h1><p>${more}</p>${items.join('\n')}`);
}

/** Builds the overview for language models in the llms.txt format (llmstxt.org). */
export function guidesForModels(publicBaseUrl: string, clients: readonly PackedClient[]): string {
  const links = GUIDES.map(
    ({ name, title, about }) => `- [${title}](${publicBaseUrl}/docs/guides/${name}.md): ${plainText(about)}`,
  );
  return [
    '# Switchboard',
    '',
    '> A business messaging service: one HTTP API to send WhatsApp messages, read them back, and receive signed webhooks.',
    '',
    '## Documents',
    '',
    `- [API description](${publicBaseUrl}/v1/openapi.json): every route, body, error and webhook, as OpenAPI with examples`,
    `- [Postman collection](${publicBaseUrl}/docs/postman.json): a request for every route and example`,
    ...links,
    `- [Changelog](${publicBaseUrl}/docs/changelog.md): what each version changed`,
    '',
    '## Clients',
    '',
    ...clients.map(({ name, language, install }) => {
      const url = `${publicBaseUrl}/docs/${name}`;
      return `- [${language}](${url}): \`${install(url)}\``;
    }),
    '',
  ].join('\n');
}

function page(title: string, section: 'guides' | 'changelog', current: string | undefined, content: string): string {
  const link = (href: string, text: string, isHere: boolean): string =>
    `<a href="${href}"${isHere ? ' aria-current="page"' : ''}>${escaped(text)}</a>`;
  const navigation = [
    link('/docs/guides', 'All guides', section === 'guides' && current === undefined),
    ...GUIDES.map((each) => {
      const own = link(`/docs/guides/${each.name}`, each.title, each.name === current);
      return each.name === current ? `${own}${contents(each)}` : own;
    }),
    link('/docs/changelog', CHANGELOG.title, section === 'changelog'),
  ].join('');
  return sitePage({ title, section, navigation, content });
}

/** Lists the sections of a guide. */
function contents({ name, markdown }: Guide): string {
  const items = marked
    .lexer(markdown)
    .filter((token): token is Tokens.Heading => token.type === 'heading' && token.depth === 2)
    .map(({ text }) => `<li><a href="/docs/guides/${name}#${anchorOf(text)}">${escaped(plainText(text))}</a></li>`);
  return items.length > 1 ? `<ul>${items.join('')}</ul>` : '';
}

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }: Tokens.Heading): string {
      const id = anchorOf(text);
      return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`;
    },
    link({ href, tokens }: Tokens.Link): string {
      const text = this.parser.parseInline(tokens);
      const target = targetOf(href);
      return target === undefined ? text : `<a href="${escaped(target)}">${text}</a>`;
    },
    // Drops the markers of the guide generator.
    html: () => '',
  },
});

/** Renders blocks of Markdown; tables and code scroll sideways. */
export function blockMarkdown(markdown: string): string {
  return inFrames(marked.parse(markdown, { async: false }));
}

function inFrames(html: string): string {
  return html
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<div class="code"><pre tabindex="0">')
    .replaceAll('</pre>', '</pre></div>');
}

/** Renders Markdown without blocks. */
export function inlineMarkdown(markdown: string): string {
  // Most descriptions of fields are plain text
  if (!/[`*_[\]<>&\\~!:]/.test(markdown)) return escaped(markdown);
  return marked.parseInline(markdown, { async: false });
}

/** Resolves a link in a file below docs/; undefined for documents that are not served. */
function targetOf(href: string): string | undefined {
  if (/^(https:|#)/.test(href)) return href;
  const [, name, fragment = ''] = /([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return GUIDES.some((each) => each.name === name) ? `/docs/guides/${name}${fragment}` : undefined;
}

function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');
}
