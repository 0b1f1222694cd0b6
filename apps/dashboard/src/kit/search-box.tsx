import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Form } from './controls';

const TYPING_MS = 300;

interface SearchBoxProps {
  label: string;
  placeholder: string;
  value: string;
  /** Hears what is searched for a moment after it was typed; undefined for nothing. */
  onChange(text: string | undefined): void;
  /** Whether a text is worth asking for; otherwise only when Enter is pressed. */
  isWhole?(text: string): boolean;
}

/** Searches while somebody types. `/` leads here. */
export function SearchBox({
  label,
  placeholder,
  value,
  onChange,
  isWhole = ({ length }) => length !== 1,
}: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  // The back button has changed the address.
  if (known !== value) {
    setKnown(value);
    setTyped(value);
  }
  useEffect(() => {
    if (typed === value || !isWhole(typed.trim())) return undefined;
    const timer = setTimeout(() => onChange(typed.trim() || undefined), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onChange, isWhole]);
  return (
    <Form role="search" onSubmit={() => onChange(typed.trim() || undefined)}>
      <span className="affix filter-search">
        <Search className="i i-14" aria-hidden />
        <input
          className="input"
          placeholder={placeholder}
          aria-label={label}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </span>
    </Form>
  );
}
