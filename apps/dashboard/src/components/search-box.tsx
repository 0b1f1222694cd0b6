import { Search } from 'lucide-react';
import { Form } from './controls';
import { useTyping } from './use-typing';

interface SearchBoxProps {
  label: string;
  placeholder: string;
  value: string;
  /** Hears what is searched for a moment after it was typed; undefined for nothing. */
  onChange(text: string | undefined): void;
  /** Whether a text is worth asking for; otherwise only when Enter is pressed. */
  isWhole?(text: string): boolean;
  /** @returns the value that a text becomes, where it is not the text itself */
  filterOf?(text: string): string;
}

/** Searches while somebody types. `/` leads here. */
export function SearchBox({ label, placeholder, isWhole = ({ length }) => length !== 1, ...search }: SearchBoxProps) {
  const { typed, type, ask } = useTyping({ ...search, isWhole });
  return (
    <Form role="search" isGuarded={false} onSubmit={ask}>
      <span className="affix filter-search">
        <Search className="i i-14" aria-hidden />
        <input
          className="input"
          placeholder={placeholder}
          aria-label={label}
          value={typed}
          onChange={(event) => type(event.target.value)}
        />
      </span>
    </Form>
  );
}
