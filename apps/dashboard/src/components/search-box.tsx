import { Search } from 'lucide-react';
import { Form } from './controls';
import { useTyping } from './use-typing';

interface SearchBoxProps {
  label: string;
  placeholder: string;
  value: string;
  /** Called with the search text after a short delay; undefined when it is empty. */
  onChange(text: string | undefined): void;
  /** Called with the text when the user presses Enter, instead of `onChange`. */
  onEnter?(text: string | undefined): void;
  /** Returns whether to search for a text while typing. Any other text requires Enter. */
  isWhole?(text: string): boolean;
  /** Maps the text to the filter value; defaults to the text itself. */
  filterOf?(text: string): string;
}

/** Search field that searches during typing. `/` focuses it. */
export function SearchBox({
  label,
  placeholder,
  onEnter,
  isWhole = ({ length }) => length !== 1,
  ...search
}: SearchBoxProps) {
  const { typed, type, ask } = useTyping({ ...search, isWhole });
  return (
    <Form role="search" isGuarded={false} onSubmit={() => ask(onEnter)}>
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
