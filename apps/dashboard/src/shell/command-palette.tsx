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
import { useEffect, useState } from 'react';
import { useModal } from '../components/overlays';
import { useTyping } from '../components/use-typing';
import { type FoundGroup, type FoundKind, groupsOf } from '../features/search/shared/found';
import { isSearchable } from '../features/search/shared/search-text';
import { useSearch } from '../features/search/shared/use-search';
import { useSignOut } from '../hooks/use-sign-out';
import { showTheme, shownTheme } from '../lib/theme';
import { NAVIGATION_ITEMS } from './navigation';

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
  const results = useResults(asked);
  const isCurrent = text === asked && text !== '';
  const groups = [...commands, ...(isCurrent ? results.groups : [])].filter(({ options }) => options.length > 0);
  const options = groups.flatMap((group) => group.options);
  useEffect(() => {
    document.querySelector(`#palette-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const run = (index: number): void => {
    onClose();
    options[index]?.run();
  };
  const press = (event: React.KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    // While an input method composes characters, Enter and the arrows belong to it.
    if (event.nativeEvent.isComposing || (event.key !== 'Enter' && step === undefined)) return;
    // Closing restores the focus; without this, the key would press the focused element.
    event.preventDefault();
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

/** Pages and commands with the text in their name, and the page with all results. */
function useCommands(text: string): Group[] {
  const navigate = useNavigate();
  const signOut = useSignOut();
  const commands: Option[] = [
    ...NAVIGATION_ITEMS.map(({ to, text: name, icon }) => ({
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
  const all: Option = {
    key: 'all',
    text: `Search for “${text}”, also in message texts`,
    icon: Search,
    run: () => void navigate({ to: '/search', search: { q: text, texts: 'true' } }),
  };
  return [
    {
      title: 'Pages and commands',
      options: commands.filter((command) => command.text.toLowerCase().includes(text.toLowerCase())),
    },
    // Before the results, so that Enter does the same whether or not they have arrived.
    { title: 'Search', options: isSearchable(text) ? [all] : [] },
  ];
}

interface Results {
  groups: Group[];
  /** Why there are no results or only some of them. */
  state: string | undefined;
}

function useResults(text: string): Results {
  const navigate = useNavigate();
  const { data, error, isFetching } = useSearch(text, MOST_PER_KIND);
  const found = data ? groupsOf(data) : [];
  return {
    groups: found.map((group) => ({
      title: group.title,
      options: (group.found ?? []).map(({ to, ...shown }) => ({
        ...shown,
        icon: ICONS[group.kind],
        run: () => void navigate({ to }),
      })),
    })),
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
