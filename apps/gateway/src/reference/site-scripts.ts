/** Script that runs before the page is shown: applies the stored theme, which the dashboard shares, and language. */
export const THEME_SCRIPT = String.raw`try {
  const theme = localStorage.getItem('switchboard.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  const language = localStorage.getItem('switchboard.language');
  if (['curl', 'typescript', 'python'].includes(language)) document.documentElement.dataset.language = language;
} catch {
  // Storage may be disabled.
}
document.documentElement.dataset.language ??= 'curl';
`;

/**
 * Script of all documentation pages: theme, search, languages and examples of code, copy buttons, and the current
 * section in the navigation. Pages can be read without it.
 */
export const SITE_SCRIPT = String.raw`const root = document.documentElement;

function store(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Storage may be disabled.
  }
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

// Theme
const themeButton = document.getElementById('theme');
const shownTheme = () => root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
const otherTheme = () => (shownTheme() === 'dark' ? 'light' : 'dark');
const labelTheme = () => themeButton.setAttribute('aria-label', 'Switch to ' + otherTheme() + ' theme');
themeButton.hidden = false;
labelTheme();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', labelTheme);
themeButton.addEventListener('click', () => {
  root.dataset.theme = otherTheme();
  store('switchboard.theme', root.dataset.theme);
  labelTheme();
});

// Search
const dialog = document.getElementById('search');
const opener = document.getElementById('open-search');
const field = dialog.querySelector('input');
const list = dialog.querySelector('ul');
const status = dialog.querySelector('[role=status]');
const MOST_RESULTS = 16;
const MOST_PER_KIND = 6;
const MOST_WORDS = 8;
const MOST_CHARACTERS = 120;
const KIND_NAMES = { operation: 'Operation', event: 'Event', error: 'Error', field: 'Field', guide: 'Guide' };
const KIND_WEIGHTS = { operation: 8, event: 6, error: 6, field: 0, guide: 4 };
/** Words of the index and how often they occur. */
const known = new Map();
let index;

const WORD_ENDS = /[^\p{L}\p{N}_]+/u;
const wordsOf = (text) => text.toLowerCase().split(WORD_ENDS).filter(Boolean).slice(0, MOST_WORDS);
/** Adds the words of a name in camel case, so that "client ref" finds clientRef. */
const searchable = (text) => {
  const plain = (text + ' ' + text.replace(/([a-z])([A-Z])/g, '$1 $2')).toLowerCase();
  return plain + ' ' + plain.split(WORD_ENDS).map(singular).join(' ');
};
/** Returns the singular of a word, so that "retry" finds retries. */
const singular = (word) => (word.length > 4 ? word.replace(/ies$/, 'y').replace(/([^s])s$/, '$1') : word);

/** Loads the index, at the first search. */
function loadIndex() {
  index ??= fetch('/docs/search.json')
    .then((response) => response.json())
    .then(({ kinds, pages, entries }) =>
      entries.map(([kind, title, context, page, fragment, text]) => ({
        kind: kinds[kind],
        title,
        context,
        text,
        href: pages[page] + (fragment && '#' + fragment),
        inTitle: searchable(title),
        inContext: searchable(context),
        inText: text.toLowerCase(),
      })),
    )
    .then((entries) => {
      for (const { inTitle, inText } of entries)
        for (const word of (inTitle + ' ' + inText).split(WORD_ENDS)) known.set(word, (known.get(word) ?? 0) + 1);
      return entries;
    })
    .catch((error) => {
      index = undefined;
      throw error;
    });
  return index;
}

/** Returns whether two words differ by one missing, additional, wrong or swapped letter at most. */
function isNear(one, other) {
  if (Math.abs(one.length - other.length) > 1) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const [rest, otherRest] = [one.slice(at), other.slice(at)];
  const isSwapped = rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2);
  return isSwapped || rest.slice(1) === otherRest.slice(1) || rest === otherRest.slice(1) || rest.slice(1) === otherRest;
}

/** Returns a word that occurs: the given one, or the most frequent one that differs by a letter. */
function corrected(word, entries) {
  const occurs = ({ inTitle, inContext, inText }) =>
    inTitle.includes(word) || inContext.includes(word) || inText.includes(word);
  if (word.length < 4 || entries.some(occurs)) return word;
  const near = [...known].filter(([each]) => isNear(word, each)).sort(([, one], [, other]) => other - one);
  return near[0]?.[0] ?? word;
}

/** Ranks an entry: every word must occur, and words of titles count more, above all those of the title of a guide. */
function scoreOf({ kind, title, context, inTitle, inContext, inText }, words, phrase) {
  const inWhole = ' ' + inTitle.split(WORD_ENDS).join(' ') + ' ';
  const whole = kind === 'guide' && title === context ? 24 : 4;
  let score = 0;
  for (const word of words) {
    const one = (inTitle.includes(word) ? 10 : 0) + (inContext.includes(word) ? 4 : 0) + (inText.includes(word) ? 1 : 0);
    if (one === 0) return 0;
    score += one + (inWhole.includes(' ' + word + ' ') ? whole : 0);
  }
  const name = title.toLowerCase();
  return score + KIND_WEIGHTS[kind] + (name === phrase ? 40 : name.startsWith(phrase) ? 10 : 0);
}

/** Finds the best entries, at most MOST_PER_KIND of one kind. */
function found(entries, asked) {
  const words = wordsOf(asked).map((word) => corrected(word, entries));
  const phrase = words.join(' ') === wordsOf(asked).join(' ') ? asked.trim().toLowerCase() : words.join(' ');
  const ranked = entries
    .map((entry) => ({ entry, score: scoreOf(entry, words, phrase) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  const counts = {};
  const texts = new Set();
  const shown = ranked.filter(({ entry: { kind, title, text } }) => {
    // Many operations have the same header or parameter.
    const same = kind + title + text;
    if (kind === 'field' && text && texts.has(same)) return false;
    texts.add(same);
    return (counts[kind] = (counts[kind] ?? 0) + 1) <= MOST_PER_KIND;
  });
  return { total: ranked.length, phrase, shown: shown.slice(0, MOST_RESULTS).map(({ entry }) => entry), words };
}

function excerptOf({ text, inText }, words) {
  const at = Math.max(0, inText.indexOf(words.find((word) => inText.includes(word)) ?? '') - 40);
  const start = at === 0 ? 0 : text.indexOf(' ', at) + 1;
  const isCut = text.length > start + MOST_CHARACTERS;
  const end = isCut ? text.lastIndexOf(' ', start + MOST_CHARACTERS) : text.length;
  return (start > 0 ? '… ' : '') + text.slice(start, end) + (isCut ? ' …' : '');
}

function resultOf(entry, words) {
  const link = element('a', '');
  link.href = entry.href;
  const kind = element('em', KIND_NAMES[entry.kind]);
  kind.className = entry.kind;
  link.append(kind, element('b', entry.title));
  if (entry.context !== entry.title) link.append(element('i', entry.context));
  if (entry.text && entry.kind !== 'operation') link.append(element('span', excerptOf(entry, words)));
  const item = element('li', '');
  item.append(link);
  return item;
}

async function search() {
  const asked = field.value;
  if (wordsOf(asked).length === 0) {
    list.replaceChildren();
    status.textContent = '';
    return;
  }
  let entries;
  try {
    entries = await loadIndex();
  } catch {
    status.textContent = 'The search could not be loaded. Try again.';
    return;
  }
  if (field.value !== asked) return;
  const { total, phrase, shown, words } = found(entries, asked);
  const count = total === 0 ? 'No results' : total === 1 ? '1 result' : total + ' results';
  status.textContent = count + (total > 0 && phrase !== asked.trim().toLowerCase() ? ' for ' + phrase : '');
  list.replaceChildren(...shown.map((entry) => resultOf(entry, words)));
}

function openSearch() {
  if (dialog.open) return;
  document.getElementById('nav').hidePopover?.();
  dialog.showModal();
  field.select();
  loadIndex().catch(() => {});
}

opener.hidden = false;
opener.querySelector('kbd').textContent = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl K';
opener.addEventListener('click', openSearch);
field.addEventListener('input', search);
dialog.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault();
  list.querySelector('a')?.click();
});
dialog.addEventListener('click', ({ target }) => {
  if (target === dialog || target.closest('a, .close')) dialog.close();
});
dialog.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    // The browser would only clear the field.
    event.preventDefault();
    dialog.close();
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  event.preventDefault();
  const stops = [field, ...list.querySelectorAll('a')];
  const next = stops.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1);
  stops[Math.min(Math.max(next, 0), stops.length - 1)].focus();
});
document.addEventListener('keydown', (event) => {
  const isShortcut = event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey;
  const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!isShortcut && !(isSlash && !event.target.closest('input, select, textarea'))) return;
  event.preventDefault();
  openSearch();
});

// Languages and examples of code
function showLanguage(language) {
  root.dataset.language = language;
  for (const button of document.querySelectorAll('.languages button'))
    button.setAttribute('aria-pressed', String(button.dataset.language === language));
}
showLanguage(root.dataset.language);
document.addEventListener('click', ({ target }) => {
  const button = target.closest('.languages button');
  if (!button) return;
  const before = button.getBoundingClientRect().top;
  showLanguage(button.dataset.language);
  store('switchboard.language', button.dataset.language);
  // Samples above may have changed their height.
  scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' });
});
document.addEventListener('change', ({ target }) => {
  const panel = target.matches('.choice') && document.getElementById(target.dataset.panel);
  if (!panel) return;
  for (const block of panel.querySelectorAll('[data-choice]')) block.hidden = block.dataset.choice !== target.value;
});

// Browsers expose the clipboard only over HTTPS and on localhost.
if (navigator.clipboard)
  for (const block of document.querySelectorAll('.code')) {
    const button = element('button', 'Copy');
    button.type = 'button';
    button.className = 'copy';
    button.addEventListener('click', async () => {
      const shown = [...block.querySelectorAll('pre')].find((each) => each.checkVisibility());
      await navigator.clipboard.writeText(shown.textContent);
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 2_000);
    });
    (block.querySelector('.code-head') ?? block).append(button);
  }

// Links to anchors on this page
const nav = document.getElementById('nav');
function decoded(fragment) {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
function reveal() {
  const id = decoded(location.hash.slice(1));
  const target = id && document.getElementById(id);
  if (!target) {
    // Links of earlier versions end with #/tag/operation.
    const operation = /^\/[^/]+\/(\w+)$/.exec(id)?.[1];
    const link = operation && nav.querySelector('a[href$="#' + operation + '"]');
    if (link) location.replace(link.href);
    return;
  }
  for (let part = target; part; part = part.parentElement) if (part.tagName === 'DETAILS') part.open = true;
  target.querySelector(':scope > details')?.setAttribute('open', '');
  target.scrollIntoView();
}
addEventListener('hashchange', reveal);
if (location.hash) reveal();
nav.addEventListener('click', ({ target }) => {
  if (target.closest('a') && nav.matches(':popover-open')) nav.hidePopover();
});

// Current section in the navigation
const links = new Map(
  [...nav.querySelectorAll('a[href*="#"]')]
    .filter(({ pathname }) => pathname === location.pathname)
    .map((link) => [decoded(link.hash.slice(1)), link]),
);
const visible = new Set();
let current;
const observer = new IntersectionObserver(
  (changes) => {
    for (const { target, isIntersecting } of changes)
      if (isIntersecting) visible.add(target);
      else visible.delete(target);
    const [first] = [...visible].sort((one, other) => (one.compareDocumentPosition(other) & 4 ? -1 : 1));
    const link = first && links.get(first.id);
    if (!link || link === current) return;
    current?.removeAttribute('aria-current');
    link.setAttribute('aria-current', 'location');
    current = link;
    if (nav.scrollHeight > nav.clientHeight) {
      const { top, bottom } = link.getBoundingClientRect();
      const bounds = nav.getBoundingClientRect();
      if (top < bounds.top || bottom > bounds.bottom) nav.scrollTop += top - bounds.top - nav.clientHeight / 3;
    }
  },
  { rootMargin: '-80px 0px -60% 0px' },
);
for (const id of links.keys()) {
  const section = document.getElementById(id);
  if (section) observer.observe(section);
}
`;
