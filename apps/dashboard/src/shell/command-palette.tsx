import { useNavigate } from '@tanstack/react-router';
import { LogOut, Moon, Plus, Search } from 'lucide-react';
import { useState } from 'react';
import { NAVIGATION_ITEMS } from './navigation';
import { showTheme, shownTheme } from '../lib/theme';
import { useModal } from '../components/overlays';
import { useSignOut } from '../hooks/use-sign-out';

/** Command palette (⌘K): finds pages and common actions by part of their name. */
export function Palette({ onClose }: { onClose(): void }) {
  const modal = useModal(onClose);
  const signOut = useSignOut();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const navigate = useNavigate();
  const commands = [
    ...NAVIGATION_ITEMS.map(({ to, text, icon }) => ({ text, icon, run: () => void navigate({ to }) })),
    { text: 'New template', icon: Plus, run: () => void navigate({ to: '/templates/new' }) },
    { text: 'New job', icon: Plus, run: () => void navigate({ to: '/jobs/new' }) },
    {
      text: 'Switch between light and dark theme',
      icon: Moon,
      run: () => showTheme(shownTheme() === 'dark' ? 'light' : 'dark'),
    },
    {
      text: 'Sign out',
      icon: LogOut,
      run: signOut,
    },
  ].filter(({ text }) => text.toLowerCase().includes(typed.trim().toLowerCase()));
  const run = (index: number): void => {
    onClose();
    commands[index]?.run();
  };
  const press = (event: React.KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key !== 'Enter' && step === undefined) return;
    // Closing restores the focus; without this, the key would press the focused element.
    event.preventDefault();
    if (step === undefined) return run(at);
    setAt((now) => (now + step + commands.length) % Math.max(1, commands.length));
  };
  return (
    <dialog {...modal} className="palette" aria-label="Jump to" onKeyDown={press}>
      <div className="palette-in">
        <Search className="i" aria-hidden />
        <input
          role="combobox"
          aria-expanded
          aria-controls="palette-options"
          aria-activedescendant={`palette-${at}`}
          aria-label="Page or command"
          placeholder="Page or command"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setAt(0);
          }}
        />
      </div>
      <div className="palette-list" role="listbox" id="palette-options" aria-label="Pages and commands">
        {commands.map(({ text, icon: Icon }, index) => (
          <div
            key={text}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            className={index === at ? 'option is-on' : 'option'}
            onClick={() => run(index)}
            onPointerMove={() => setAt(index)}
          >
            <Icon className="i" aria-hidden />
            {text}
          </div>
        ))}
        {commands.length === 0 && <p className="group">No matching pages or commands.</p>}
      </div>
    </dialog>
  );
}
