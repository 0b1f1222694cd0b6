import { useNavigate } from '@tanstack/react-router';
import {
  ContactRound,
  KeyRound,
  Layers,
  LayoutTemplate,
  LogOut,
  type LucideIcon,
  Mails,
  Moon,
  Plus,
  Search,
} from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useModal } from '../components/overlays';
import { useTyping } from '../components/use-typing';
import { exactContact } from '../features/search/shared/exact-contact';
import { type FoundGroup, type FoundKind, groupsOf } from '../features/search/shared/found';
import { isSearchable } from '../features/search/shared/search-text';
import { useSearch } from '../features/search/shared/use-search';
import { useSignOut } from '../hooks/use-sign-out';
import { showTheme, shownTheme } from '../lib/theme';
import { useNavigationItems } from './navigation';

interface Option {
  key: string;
  text: string;
  detail?: string;
  icon: LucideIcon;
  run(): void;
}

interface Group {
  title: string;
  options: Option[];
}

const MOST_PER_KIND = 5;
const ICONS: Record<FoundKind, LucideIcon> = {
  contacts: ContactRound,
  messages: Mails,
  templates: LayoutTemplate,
  jobs: Layers,
  keys: KeyRound,
};

/** Command palette (⌘K): finds pages, common actions, contacts, messages, templates, jobs and API keys. */
export function Palette({ onClose }: { onClose(): void }) {
  const modal = useModal(onClose);
  const [asked, setAsked] = useState('');
  const { typed, type } = useTyping({
    value: asked,
    onChange: (text = '') => setAsked(text),
    isWhole: (text) => text === '' || isSearchable(text),
  });
  const [at, setAt] = useState(0);
  const text = typed.trim();
  const commands = useCommands(text);
  const searchAll = useSearchAll(text);
  const results = useResults(asked);
  const isCurrent = text === asked && text !== '';
  const found = isCurrent ? results : undefined;
  const groups = [
    commands,
    { title: 'Contact', options: found?.exact ?? [] },
    // The same place whether or not results have arrived.
    { title: 'Search', options: isSearchable(text) ? [searchAll] : [] },
    ...(found?.groups ?? []),
  ].filter(({ options }) => options.length > 0);
  const options = groups.flatMap((group) => group.options);
  useEffect(() => {
    document.querySelector(`#palette-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const run = (index: number): void => {
    onClose();
    options[index]?.run();
  };
  // Enter waits for the results, so that it does the same whether or not they have arrived.
  const [isEntered, setEntered] = useState(false);
  const isAwaited = commands.options.length === 0 && isSearchable(text) && !(isCurrent && results.isSettled);
  const runFirst = useEffectEvent(() => run(0));
  useEffect(() => {
    if (isEntered && !isAwaited) runFirst();
  }, [isEntered, isAwaited]);
  const press = (event: React.KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    // While an input method composes characters, Enter and the arrows belong to it.
    if (event.nativeEvent.isComposing || (event.key !== 'Enter' && step === undefined)) return;
    // Closing restores the focus; without this, the key would press the focused element.
    event.preventDefault();
    if (step === undefined && at === 0 && isAwaited) {
      setAsked(text);
      return setEntered(true);
    }
    if (step === undefined) return run(at);
    setAt((now) => (now + step + options.length) % Math.max(1, options.length));
  };
  return (
    <dialog {...modal} className="palette" aria-label="Search or jump to" onKeyDown={press}>
      <div className="palette-in">
        <Search className="i" aria-hidden />
        <input
          role="combobox"
          aria-expanded
          aria-controls="palette-options"
          aria-activedescendant={options.length > 0 ? `palette-${at}` : undefined}
          aria-label="Search or jump to"
          placeholder="Page, name, number, reference or ID"
          value={typed}
          onChange={(event) => {
            type(event.target.value);
            setAt(0);
            setEntered(false);
          }}
        />
      </div>
      <div className="palette-list" role="listbox" id="palette-options" aria-label="Pages, commands and results">
        {groups.map(({ title, options: shown }) => (
          <div key={title} role="group" aria-label={title}>
            <div className="group" aria-hidden>
              {title}
            </div>
            {shown.map((option) => (
              <PaletteOption
                key={option.key}
                option={option}
                index={options.indexOf(option)}
                isOn={options.indexOf(option) === at}
                onPoint={setAt}
                onRun={run}
              />
            ))}
          </div>
        ))}
      </div>
      <p className="palette-state" role="status">
        {options.length === 0 ? 'No matching pages or commands.' : isCurrent && results.state}
      </p>
    </dialog>
  );
}

function PaletteOption({
  option: { text, detail, icon: Icon },
  index,
  isOn,
  onPoint,
  onRun,
}: {
  option: Option;
  index: number;
  isOn: boolean;
  onPoint(index: number): void;
  onRun(index: number): void;
}) {
  return (
    <div
      id={`palette-${index}`}
      role="option"
      aria-selected={isOn}
      className={isOn ? 'option is-on' : 'option'}
      onClick={() => onRun(index)}
      onPointerMove={() => onPoint(index)}
    >
      <Icon className="i" aria-hidden />
      <span className="cut" dir="auto">
        {text}
      </span>
      {detail !== undefined && (
        <span className="detail cut" dir="auto">
          {detail}
        </span>
      )}
    </div>
  );
}

/** Pages and commands with the text in their name. */
function useCommands(text: string): Group {
  const navigate = useNavigate();
  const signOut = useSignOut();
  const commands: Option[] = [
    ...useNavigationItems().map(({ to, text: name, icon }) => ({
      key: to,
      text: name,
      icon,
      run: () => void navigate({ to }),
    })),
    { key: 'template', text: 'New template', icon: Plus, run: () => void navigate({ to: '/templates/new' }) },
    { key: 'job', text: 'New job', icon: Plus, run: () => void navigate({ to: '/jobs/new' }) },
    {
      key: 'theme',
      text: 'Switch between light and dark theme',
      icon: Moon,
      run: () => showTheme(shownTheme() === 'dark' ? 'light' : 'dark'),
    },
    { key: 'sign-out', text: 'Sign out', icon: LogOut, run: signOut },
  ];
  return {
    title: 'Pages and commands',
    options: commands.filter((command) => command.text.toLowerCase().includes(text.toLowerCase())),
  };
}

/** The page with all results. */
function useSearchAll(text: string): Option {
  const navigate = useNavigate();
  return {
    key: 'all',
    text: `Search for “${text}”, also in message texts`,
    icon: Search,
    run: () => void navigate({ to: '/search', search: { q: text, texts: 'true' } }),
  };
}

interface Results {
  /** The only contact with exactly this name, username or number. */
  exact: Option[];
  groups: Group[];
  /** Whether the search has ended. */
  isSettled: boolean;
  /** Why there are no results or only some of them. */
  state: string | undefined;
}

function useResults(text: string): Results {
  const navigate = useNavigate();
  const { data, error, isFetching } = useSearch(text, MOST_PER_KIND);
  const found = data ? groupsOf(data) : [];
  const exact = data && exactContact(data, text);
  const groups = found.map((group) => ({
    title: group.title,
    options: (group.found ?? []).map(({ to, ...shown }) => ({
      ...shown,
      icon: ICONS[group.kind],
      run: () => void navigate({ to }),
    })),
  }));
  const all = groups.flatMap(({ options }) => options);
  const isExact = ({ key }: Option): boolean => key === exact?.id;
  return {
    exact: all.filter(isExact),
    groups: groups.map((group) => ({ ...group, options: group.options.filter((option) => !isExact(option)) })),
    isSettled: data !== undefined || error !== null || !isSearchable(text),
    state: isFetching && !data ? 'Searching…' : (error?.message ?? (data && stateOf(found))),
  };
}

function stateOf(groups: readonly FoundGroup[]): string | undefined {
  if (groups.some(({ found }) => found === null))
    return 'Some results are missing, because a service does not respond.';
  if (groups.some(({ found }) => found !== null && found.length > 0)) return undefined;
  return groups.some(({ isIncomplete }) => isIncomplete)
    ? 'No matches. Some older items were not searched.'
    : 'No matches.';
}
