import { Marked, type Tokens } from 'marked';
import type { PackedClient } from './packed-clients';
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

const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1b1f24, #e6e8eb); --faint: light-dark(#5b6470, #9aa3ad);
  --line: light-dark(#dfe3e8, #30363d); --ground: light-dark(#fff, #14171a); --box: light-dark(#f5f6f8, #1c2126);
  --link: light-dark(#0b5cad, #7db7f5); --edge: light-dark(#868e98, #6a737d); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.6 Inter, ui-sans-serif, system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: center; justify-content: space-between; padding: 10px 24px; min-height: 56px; }
header > a { color: inherit; font-weight: 600; text-decoration: none; }
nav { border: 1px solid var(--line); border-width: 1px 0; padding: 12px 24px; display: flex; flex-wrap: wrap; gap: 4px 20px; font-size: 14px; }
nav a { color: var(--faint); text-decoration: none; } nav a[aria-current] { color: var(--ink); font-weight: 600; }
#search { position: relative; flex: 0 1 360px; min-width: 220px; }
#search input { width: 100%; font: inherit; font-size: 14px; color: inherit; background: var(--box); border: 1px solid var(--edge); border-radius: 8px; padding: 6px 12px; }
#search div { position: absolute; z-index: 1; top: calc(100% + 6px); right: 0; width: min(520px, calc(100vw - 48px)); max-height: 70vh; overflow-y: auto;
  background: var(--ground); border: 1px solid var(--line); border-radius: 10px; box-shadow: 0 8px 30px rgb(0 0 0 / 0.2); padding: 6px; }
#search p { margin: 4px 10px; font-size: 13px; color: var(--faint); } #search ul { list-style: none; margin: 0; padding: 0; }
#search li { margin: 0; } #search li a { display: block; padding: 8px 10px; border-radius: 6px; color: inherit; text-decoration: none; font-size: 14px; line-height: 1.4; }
#search li a:hover, #search li a:focus { background: var(--box); } #search li i { color: var(--faint); font-style: normal; margin-left: 8px; }
#search li span { display: block; color: var(--faint); font-size: 13px; overflow-wrap: anywhere; }
main { max-width: 800px; margin: 0 auto; padding: 24px 24px 96px; overflow-wrap: break-word; }
h1 { font-size: 30px; line-height: 1.2; letter-spacing: -0.014em; } h2 { margin-top: 48px; font-size: 21px; } h3 { margin-top: 32px; font-size: 17px; }
a { color: var(--link); } a.anchor { color: inherit; text-decoration: none; }
code { font: 13.5px/1.5 ui-monospace, Menlo, Consolas, monospace; background: var(--box); border-radius: 4px; padding: 1px 4px; }
pre { background: var(--box); border: 1px solid var(--line); border-radius: 8px; padding: 14px 16px; overflow-x: auto; }
pre code { background: none; padding: 0; }
.code { position: relative; } .code button { position: absolute; top: -13px; right: 8px; font: inherit; font-size: 12.5px; line-height: 1.4; color: var(--faint);
  background: var(--ground); border: 1px solid var(--edge); border-radius: 6px; padding: 2px 8px; cursor: pointer; }
.code button:hover { color: var(--ink); } :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.table { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: 14.5px; }
th, td { text-align: left; vertical-align: top; padding: 8px 12px 8px 0; border-bottom: 1px solid var(--line); }
li { margin: 4px 0; } .about { color: var(--faint); margin-top: 2px; }
`;

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
        sections.push({ page: title, heading: plain(token.text as string), href, text: '' });
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
  return plain(raw)
    .replace(/^\w*\n/, '')
    .replace(/[|\s]+/g, ' ')
    .replace(/(?:-{3,} ?)+/g, '');
}

/**
 * Renders the page of a guide. Links to other guides are rewritten; links to documents that are not served become plain
 * text.
 */
export function guidePage({ name, title, markdown }: Guide): string {
  return page(title, name, rendered(markdown));
}

/** Renders the index of the guides. */
export function guidesPage(): string {
  const items = GUIDES.map(
    (each) =>
      `<h2><a href="/docs/guides/${each.name}">${escaped(each.title)}</a></h2><p class="about">${inline(each.about)}</p>`,
  );
  const more =
    'For your tools: the <a href="/v1/openapi.json">API description</a> (OpenAPI), a <a href="/docs/postman.json">Postman collection</a>, and an <a href="/llms.txt">index for language models</a>.';
  return page('Guides', undefined, `<h1>Guides</h1><p>${more}</p>${items.join('\n')}`);
}

/** Builds the overview for language models in the llms.txt format (llmstxt.org). */
export function guidesForModels(publicBaseUrl: string, clients: readonly PackedClient[]): string {
  const links = GUIDES.map(
    ({ name, title, about }) => `- [${title}](${publicBaseUrl}/docs/guides/${name}.md): ${plain(about)}`,
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

function page(title: string, current: string | undefined, content: string): string {
  const links = [
    ['/docs', 'API reference'] as const,
    ...GUIDES.map((each) => [`/docs/guides/${each.name}`, each.title] as const),
    ['/docs/changelog', CHANGELOG.title] as const,
  ];
  const navigation = links.map(([href, text]) => {
    const isHere = current !== undefined && href.endsWith(`/${current}`);
    return `<a href="${href}"${isHere ? ' aria-current="page"' : ''}>${escaped(text)}</a>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Switchboard</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<header>
<a href="/docs/guides">Switchboard</a>
<form id="search" role="search" hidden>
<input type="search" placeholder="Search the guides" aria-label="Search the guides" autocomplete="off">
<div hidden><p role="status"></p><ul></ul></div>
</form>
</header>
<nav aria-label="Documents">${navigation.join('')}</nav>
<main>
${content}
</main>
<script src="/docs/guides/page.js"></script>
</body>
</html>
`;
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

function rendered(markdown: string): string {
  const html = marked.parse(markdown, { async: false });
  return html
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<div class="code"><pre tabindex="0">')
    .replaceAll('</pre>', '</pre></div>');
}

function inline(markdown: string): string {
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

function plain(markdown: string): string {
  return markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
