import { useEffect, useEffectEvent, useRef } from 'react';
import { useFilters } from '../../hooks/use-filters';

/** Maximum number of older pages loaded to show a message. */
const MOST_PAGES = 40;

interface Thread {
  messages: readonly { id: string }[];
  hasOlder: boolean;
  isLoading: boolean;
  showOlder(): void;
}

/**
 * Scrolls to the message that the address names (`?at=msg_…&find=refund`), and marks the text in it. Loads older pages
 * until the message is there.
 */
export function useShownMessage({ messages, hasOlder, isLoading, showOlder }: Thread): void {
  const [{ at, find }] = useFilters();
  const pages = useRef(0);
  const isLoaded = at !== undefined && messages.some(({ id }) => id === at);
  const isWanted = at !== undefined && !isLoaded && hasOlder && !isLoading && messages.length > 0;
  const loadMore = useEffectEvent((): void => {
    if (pages.current >= MOST_PAGES) return;
    pages.current += 1;
    showOlder();
  });
  useEffect(() => {
    if (isWanted) loadMore();
  }, [isWanted, messages.length]);
  useEffect(() => {
    const shown = isLoaded ? document.getElementById(at) : null;
    if (!shown) return undefined;
    shown.scrollIntoView({ block: 'center' });
    const bubble = shown.querySelector('.bubble') ?? shown;
    bubble.classList.add('is-found');
    if (find !== undefined) markIn(bubble, find);
    return () => {
      bubble.classList.remove('is-found');
      CSS.highlights?.delete('found');
    };
  }, [isLoaded, at, find]);
}

/** Returns the text without case and accents, and the position of each of its characters in the original. */
function foldedOf(text: string): { folded: string; places: number[] } {
  let folded = '';
  const places: number[] = [];
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    const plain = segment.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
    for (let unit = 0; unit < plain.length; unit += 1) places.push(index);
    folded += plain;
  }
  places.push(text.length);
  return { folded, places };
}

/** Marks all places of a text in an element by a CSS highlight, which leaves the elements of React alone. */
function markIn(element: Element, text: string): void {
  // Older browsers only scroll to the message.
  if (!CSS.highlights) return;
  const { folded: wanted } = foldedOf(text.trim());
  const ranges: Range[] = [];
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (wanted !== '' && nodes.nextNode()) {
    const node = nodes.currentNode;
    const { folded, places } = foldedOf(node.textContent ?? '');
    for (let start = folded.indexOf(wanted); start >= 0; start = folded.indexOf(wanted, start + wanted.length)) {
      const range = document.createRange();
      range.setStart(node, places[start] ?? 0);
      range.setEnd(node, places[start + wanted.length] ?? 0);
      ranges.push(range);
    }
  }
  CSS.highlights.set('found', new Highlight(...ranges));
}
