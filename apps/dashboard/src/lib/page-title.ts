import mark from '../styles/mark.svg?raw';

const BADGE = '<circle cx="15.5" cy="4.5" r="4.5" fill="#c62828" stroke="#fff" stroke-width="1"/></svg>';

let name = '';
let unread = '';
let plainIcon: string | undefined;

/** Sets the page name in the title of the tab. */
export function showTitle(title: string): void {
  name = title;
  show();
}

/** Shows the number of unread conversations in the tab's title and a badge on its icon. @param count empty for none */
export function showUnread(count: string): void {
  unread = count;
  show();
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (!icon) return;
  plainIcon ??= icon.href;
  icon.href =
    count === '' ? plainIcon : `data:image/svg+xml,${encodeURIComponent(mark.trim().replace(/<\/svg>$/, BADGE))}`;
}

function show(): void {
  document.title = `${unread && `(${unread}) `}${name && `${name} · `}Switchboard`;
}
