import { useEffect, useEffectEvent, useState } from 'react';

const TYPING_MS = 300;

/** State of a field whose text becomes a filter shortly after typing. */
export interface Typing {
  typed: string;
  value: string;
  /** Filters that were sent but are not in the address yet, newest last. */
  sent: readonly string[];
}

/** Returns the filter that applies once the address has changed. */
export const comingOf = ({ value, sent }: Typing): string => sent.at(-1) ?? value;

export const send = (state: Typing, value: string): Typing => ({ ...state, sent: [...state.sent, value] });

/**
 * Handles a changed filter. A filter that the field sent itself leaves the text alone, with its trailing blanks and
 * keys pressed since. Any other change, such as the back button, replaces the text.
 */
export function hear(state: Typing, value: string): Typing {
  const at = state.sent.indexOf(value);
  return at < 0 ? { typed: value, value, sent: [] } : { ...state, value, sent: state.sent.slice(at + 1) };
}

interface TypingOptions {
  value: string;
  /** Called once per search; undefined when the text is empty. */
  onChange(value: string | undefined): void;
  /** Returns whether to search for a text while typing. Any other text requires `ask`. */
  isWhole(text: string): boolean;
  /** Maps the text to the filter value. */
  filterOf?(text: string): string;
}

/**
 * Searches during typing.
 * @returns the text, its setter, and a function that searches immediately
 */
export function useTyping({ value, onChange, isWhole, filterOf = (text) => text }: TypingOptions) {
  const [state, setState] = useState<Typing>({ typed: value, value, sent: [] });
  if (state.value !== value) setState(hear(state, value));
  const { typed } = state;
  const wanted = filterOf(typed.trim());
  const isDue = wanted !== comingOf(state) && isWhole(typed.trim());
  const ask = (search: TypingOptions['onChange'] = onChange): void => {
    setState((now) => send(now, wanted));
    search(wanted || undefined);
  };
  const askLater = useEffectEvent(ask);
  useEffect(() => {
    if (!isDue) return undefined;
    const timer = setTimeout(() => askLater(), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, isDue]);
  return { typed, type: (text: string): void => setState((now) => ({ ...now, typed: text })), ask };
}
