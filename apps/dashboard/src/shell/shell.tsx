import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Bell, Menu as MenuIcon, Moon, Search, Sun } from 'lucide-react';
import { Fragment, useEffect, useRef, useState } from 'react';
import { useMe } from '../api/session';
import { Button } from '../components/controls';
import { Mark } from '../components/mark';
import { Dialog } from '../components/overlays';
import { SHORTCUTS, useKeys } from './keyboard-shortcuts';
import { LeaveQuestion } from './leave-dialog';
import { LiveUpdates } from './live-updates';
import { NumberState } from './number-status';
import { Palette } from './command-palette';
import { type NavigationItem, useNavigationItems } from './navigation';
import { useUnread } from '../hooks/use-unread';
import { focusComposer } from '../lib/focus-composer';
import { showTheme, shownTheme } from '../lib/theme';

/** Frame of every page: navigation, top bar, command palette and shortcuts. */
export function Shell() {
  const { me } = useMe();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const nav = useRef<HTMLElement>(null);
  const [overlay, setOverlay] = useState<'palette' | 'keys'>();
  const place = path.replace(/^\/dashboard/, '') || '/';
  const items = useNavigationItems();
  const here = items.find(({ to }) => (to === '/' ? place === to : place === to || place.startsWith(`${to}/`)));
  const unread = useUnread();
  useKeys(items, setOverlay);
  useEffect(() => {
    if (nav.current?.matches(':popover-open')) nav.current.hidePopover();
  }, [path]);
  return (
    <div className="app">
      <a className="skip btn" href="#main">
        Skip to content
      </a>
      {place.startsWith('/conversations/') && (
        <a
          className="skip btn"
          href="#composer"
          onClick={(event) => {
            event.preventDefault();
            focusComposer();
          }}
        >
          Skip to composer
        </a>
      )}
      <nav className="nav" id="nav" popover="auto" aria-label="Main" ref={nav}>
        <Link className="nav-head" to="/">
          <Mark />
          Switchboard
        </Link>
        <div className="nav-body">
          {items.map(({ to, text, icon: Icon, group }, index) => (
            <Fragment key={to}>
              {group !== '' && group !== items[index - 1]?.group && <div className="nav-group">{group}</div>}
              <Link className="nav-item" to={to} aria-current={here?.to === to ? 'page' : undefined}>
                <Icon className="i" aria-hidden />
                {text}
                {to === '/conversations' && unread?.text && (
                  <span className="unread-n">
                    {unread.text}
                    <span className="sr"> unread</span>
                  </span>
                )}
              </Link>
            </Fragment>
          ))}
        </div>
        <div className="nav-foot">
          <Link to="/profile" className="me">
            <span className="avatar" aria-hidden>
              {initialsOf(me.user.name)}
            </span>
            <span className="cut small">
              <span className="strong">{me.user.name}</span> <span className="dimmer">{me.user.role}</span>
            </span>
          </Link>
          <Link
            to="/profile"
            hash="alerts"
            className="btn icon ghost sm"
            aria-label="Alerts for new messages"
            data-tip="Alerts for new messages"
          >
            <Bell className="i" aria-hidden />
          </Link>
          <ThemeButton />
        </div>
      </nav>
      <header className="top">
        <button type="button" className="btn icon ghost sm only-small" popoverTarget="nav" aria-label="Menu">
          <MenuIcon className="i" aria-hidden />
        </button>
        <div className="crumbs">
          <span className="strong dim cut">{me.account.name}</span>
          {here && here.to !== '/' && (
            <>
              <span aria-hidden>/</span>
              <span className="cut" aria-current="page">
                {here.text}
              </span>
            </>
          )}
        </div>
        <button
          type="button"
          className="search"
          data-keys="⌘K"
          aria-label="Search or jump to a page"
          onClick={() => setOverlay('palette')}
        >
          <Search className="i" aria-hidden />
          <span>Search</span>
        </button>
        <NumberState />
      </header>
      <main className="main" id="main" tabIndex={-1}>
        <Outlet />
      </main>
      {overlay === 'palette' && <Palette onClose={() => setOverlay(undefined)} />}
      <LeaveQuestion />
      <LiveUpdates unread={unread} />
      {overlay === 'keys' && <KeysHelp items={items} onClose={() => setOverlay(undefined)} />}
    </div>
  );
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  return [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => word?.[0]?.toUpperCase() ?? '').join('');
}

function ThemeButton() {
  const [theme, setTheme] = useState(shownTheme);
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <Button
      look="ghost"
      size="sm"
      icon={theme === 'dark' ? Sun : Moon}
      aria-label={`Switch to ${other} theme`}
      onClick={() => {
        showTheme(other);
        setTheme(other);
      }}
    />
  );
}

function KeysHelp({ items, onClose }: { items: readonly NavigationItem[]; onClose(): void }) {
  return (
    <Dialog
      title="Keyboard shortcuts"
      onClose={onClose}
      foot={
        <Button className="push" onClick={onClose}>
          Close
        </Button>
      }
    >
      <dl className="facts">
        {SHORTCUTS.map(([keys, text]) => (
          <Fragment key={text}>
            <dt className="keys">
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </Fragment>
        ))}
        {items.map(({ key, text, to }) => (
          <Fragment key={to}>
            <dt className="keys">
              <kbd>g</kbd>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  );
}
