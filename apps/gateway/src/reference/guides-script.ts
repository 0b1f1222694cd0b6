/**
 * Script of the guides, which adds a search over all sections and copy buttons on code blocks. Pages work without it.
 */
export const GUIDES_SCRIPT = `const form = document.getElementById('search');
const field = form.querySelector('input');
const panel = form.querySelector('div');
const list = form.querySelector('ul');
const status = form.querySelector('p');
const MOST_RESULTS = 8;
const MOST_CHARACTERS = 120;
let index;

const wordsOf = (text) => text.toLowerCase().split(/[^\\p{L}\\p{N}_]+/u).filter(Boolean);

/** Reads all sections, at the first search. */
function loadSections() {
  index ??= fetch('/docs/guides/search.json')
    .then((response) => response.json())
    .then((sections) =>
      sections.map((section) => ({
        ...section,
        inHeading: section.heading.toLowerCase(),
        inPage: section.page.toLowerCase(),
        inText: section.text.toLowerCase(),
      })),
    );
  return index;
}

/** Ranks a section: every word must occur, and words of headings count more. */
function scoreOf({ inHeading, inPage, inText }, words) {
  let score = 0;
  for (const word of words) {
    const one = (inHeading.includes(word) ? 10 : 0) + (inPage.includes(word) ? 4 : 0) + (inText.includes(word) ? 1 : 0);
    if (one === 0) return 0;
    score += one;
  }
  return score;
}

function excerptOf({ text, inText }, words) {
  const at = Math.max(0, inText.indexOf(words.find((word) => inText.includes(word)) ?? '') - 40);
  const start = at === 0 ? 0 : text.indexOf(' ', at) + 1;
  const isCut = text.length > start + MOST_CHARACTERS;
  const end = isCut ? text.lastIndexOf(' ', start + MOST_CHARACTERS) : text.length;
  return (start > 0 ? '… ' : '') + text.slice(start, end) + (isCut ? ' …' : '');
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

async function search() {
  const asked = field.value;
  const words = wordsOf(asked);
  panel.hidden = words.length === 0;
  if (panel.hidden) return;
  const sections = await loadSections();
  if (field.value !== asked) return;
  const found = sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  status.textContent = found.length === 0 ? 'No results' : found.length === 1 ? '1 result' : found.length + ' results';
  list.replaceChildren(
    ...found.slice(0, MOST_RESULTS).map(({ section }) => {
      const link = element('a', '');
      link.href = section.href;
      link.append(element('b', section.heading), element('i', section.page), element('span', excerptOf(section, words)));
      const item = element('li', '');
      item.append(link);
      return item;
    }),
  );
}

form.hidden = false;
field.addEventListener('input', search);
field.addEventListener('focus', search);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  list.querySelector('a')?.click();
});
form.addEventListener('focusout', ({ relatedTarget }) => {
  if (!form.contains(relatedTarget)) panel.hidden = true;
});
form.addEventListener('click', ({ target }) => {
  if (target.closest('a')) panel.hidden = true;
});
form.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    field.focus();
    panel.hidden = true;
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  event.preventDefault();
  const stops = [field, ...list.querySelectorAll('a')];
  const next = stops.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1);
  stops[Math.min(Math.max(next, 0), stops.length - 1)].focus();
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input')) return;
  event.preventDefault();
  field.focus();
});

// Browsers offer the clipboard to pages of https and of this machine only.
if (navigator.clipboard)
  for (const block of document.querySelectorAll('.code')) {
    const button = element('button', 'Copy');
    button.type = 'button';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 2_000);
    });
    block.append(button);
  }
`;
