import { useEffect, useEffectEvent, useState } from 'react';

const TYPING_MS = 300;

/** A field whose text becomes a filter a moment after it was typed. */
export interface Typing {
  typed: string;
  /** What the filter is. */
  value: string;
  /** What was asked for and is not the filter yet, the newest last. */
  sent: readonly string[];
}

/** What the filter is, or will be as soon as the address has changed. */
export const comingOf = ({ value, sent }: Typing): string => sent.at(-1) ?? value;

/** The field asks for a filter. */
export const send = (state: Typing, value: string): Typing => ({ ...state, sent: [...state.sent, value] });

/**
 * The filter has changed. What the field asked for itself leaves the text as it is: blanks at its end, and keys that
 * were pressed meanwhile. All else, such as the back button, is shown in the field.
 */
export function hear(state: Typing, value: string): Typing {
  const at = state.sent.indexOf(value);
  return at < 0 ? { typed: value, value, sent: [] } : { ...state, value, sent: state.sent.slice(at + 1) };
}

interface TypingOptions {
  value: string;
  /** Hears once what is searched for; undefined for nothing. */
  onChange(value: string | undefined): void;
  /** Whether a text is worth asking for; otherwise only `ask` does. */
  isWhole(text: string): boolean;
  /** @returns which filter a text becomes */
  filterOf?(text: string): string;
}

/**
 * Asks while somebody types.
 * @returns the text, how to change it, and how to ask at once
 */
export function useTyping({ value, onChange, isWhole, filterOf = (text) => text }: TypingOptions) {
  const [state, setState] = useState<Typing>({ typed: value, value, sent: [] });
  if (state.value !== value) setState(hear(state, value));
  const { typed } = state;
  const wanted = filterOf(typed.trim());
  const isDue = wanted !== comingOf(state) && isWhole(typed.trim());
  const ask = (): void => {
    setState((now) => send(now, wanted));
    onChange(wanted || undefined);
  };
  const askLater = useEffectEvent(ask);
  useEffect(() => {
    if (!isDue) return undefined;
    const timer = setTimeout(() => askLater(), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, isDue]);
  return { typed, type: (text: string): void => setState((now) => ({ ...now, typed: text })), ask };
}
