import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
/* eslint-disable @nx/enforce-module-boundaries, no-restricted-imports -- the pages have the colours of the dashboard,
   and the bundle contains them */
import tokens from '../../../dashboard/src/styles/tokens.css';
/* eslint-enable @nx/enforce-module-boundaries, no-restricted-imports */
import { notFound } from '@switchboard/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { escaped } from './html';
import { SITE_SCRIPT, THEME_SCRIPT } from './site-scripts';
import styles from './site.css';
import { sendStatic, type StaticFile, staticFile } from './static-files';

/** Content security policy of all documentation pages, which load nothing from other hosts and have no inline code. */
export const SITE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const FONT = readFileSync(
  createRequire(import.meta.url).resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
);
/** The name changes with the content, so that browsers reuse the font without a request. */
const FONT_NAME = `inter-${createHash('sha256').update(FONT).digest('hex').slice(0, 8)}.woff2`;
const HTML = 'text/html; charset=utf-8';

/** Styles, font and scripts of all documentation pages, by name below `/docs/`. */
export const SITE_FILES: readonly (readonly [string, StaticFile])[] = [
  [
    'site.css',
    staticFile(withoutComments(tokens + styles).replace('inter.woff2', FONT_NAME), 'text/css; charset=utf-8'),
  ],
  [FONT_NAME, staticFile(FONT, 'font/woff2', true)],
  ['site.js', staticFile(SITE_SCRIPT, 'text/javascript; charset=utf-8')],
  ['theme.js', staticFile(THEME_SCRIPT, 'text/javascript; charset=utf-8')],
];

const SECTIONS = {
  reference: ['/docs', 'API reference'],
  guides: ['/docs/guides', 'Guides'],
  changelog: ['/docs/changelog', 'Changelog'],
} as const;

export interface SitePage {
  title: string;
  section: keyof typeof SECTIONS;
  /** Links of the section, for the side of the page. */
  navigation: string;
  content: string;
}

const MARK =
  '<svg class="mark" viewBox="0 0 20 20" aria-hidden="true"><rect width="20" height="20" rx="5"/><path d="M5 7.2h6.5M5 12.8h3.5"/><circle cx="14" cy="7.2" r="1.7"/><circle cx="11" cy="12.8" r="1.7"/></svg>';
const icon = (paths: string, name = ''): string =>
  `<svg class="i ${name}" viewBox="0 0 24 24" aria-hidden="true">${paths}</svg>`;
const MENU = icon('<path d="M4 6h16M4 12h16M4 18h16"/>');
const SEARCH = icon('<circle cx="11" cy="11" r="7"/><path d="m20 20-4-4"/>');
const MOON = icon('<path d="M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z"/>', 'moon');
const SUN = icon(
  '<circle cx="12" cy="12" r="4"/><path d="M12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4"/>',
  'sun',
);

/** Renders a page of the documentation in the product's frame. */
export function sitePage({ title, section, navigation, content }: SitePage): string {
  const sections = Object.entries(SECTIONS)
    .map(([name, [href, text]]) => `<a href="${href}"${name === section ? ' aria-current="true"' : ''}>${text}</a>`)
    .join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Switchboard</title>
<link rel="icon" href="data:,">
<link rel="preload" href="/docs/${FONT_NAME}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="/docs/site.css">
<script src="/docs/theme.js"></script>
<script src="/docs/site.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<button type="button" class="icon-button menu" popovertarget="nav" aria-label="Menu">${MENU}</button>
<a class="brand" href="/docs">${MARK}Switchboard</a>
<nav class="sections" aria-label="Documents">${sections}</nav>
<button type="button" class="search" id="open-search" hidden>${SEARCH}<span>Search</span><kbd aria-hidden="true"></kbd></button>
<a class="to-dashboard" href="/dashboard">Dashboard</a>
<button type="button" class="icon-button" id="theme" hidden>${MOON}${SUN}</button>
</header>
<div class="frame">
<nav class="nav" id="nav" popover aria-label="${SECTIONS[section][1]}"><div class="nav-sections">${sections}<a href="/dashboard">Dashboard</a></div>${navigation}</nav>
<main class="${section}" id="main" tabindex="-1">
${content}
</main>
</div>
<dialog id="search" aria-label="Search">
<form role="search"><div class="search-field">${SEARCH}<input type="search" aria-label="Search the documentation" placeholder="Operations, fields, errors, guides" maxlength="100" autocomplete="off" spellcheck="false"><button type="button" class="close">Close</button></div>
<p role="status"></p><ul></ul></form>
</dialog>
</body>
</html>
`;
}

/** Sends a page or a text of the documentation. A browser gets a page for an unknown path as well. */
export function sendPage(file: StaticFile | undefined, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('content-security-policy', SITE_POLICY);
  if (file) return sendStatic(file, request, reply);
  if (!request.headers.accept?.includes('text/html')) throw notFound('page');
  void reply.status(404).type(HTML).send(notFoundPage());
}

function notFoundPage(): string {
  const content =
    '<h1>Page not found</h1><p class="lead">The address is wrong, or the page was moved. Search the documentation, or start with the <a href="/docs">API reference</a> or the <a href="/docs/guides">guides</a>.</p>';
  return sitePage({
    title: 'Page not found',
    section: 'reference',
    navigation: '<a href="/docs">Introduction</a>',
    content,
  });
}

function withoutComments(css: string): string {
  return css.replace(/\/\*[^]*?\*\//g, '').replace(/\s*\n\s*/g, '\n');
}
