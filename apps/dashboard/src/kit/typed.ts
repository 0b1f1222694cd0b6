import { useEffect, useState } from 'react';

const TYPING_MS = 300;

/**
 * What somebody types into a search, which stands in the address when they pause. When the address changes by itself
 * (the back button, a link), the text follows it.
 * @param value what stands in the address
 * @param onPause keeps the text in the address; it must replace the entry of the history and not add one
 */
export function useTyped(
  value: string,
  onPause: (text: string) => void,
): { typed: string; type(text: string): void; submit(): void } {
  const [kept, setKept] = useState(value);
  const [typed, setTyped] = useState(value);
  // What the address says now counts more than what was typed before it changed.
  if (kept !== value) {
    setKept(value);
    setTyped(value);
  }
  useEffect(() => {
    if (typed === value) return undefined;
    const timer = setTimeout(() => onPause(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onPause]);
  return { typed, type: setTyped, submit: () => onPause(typed) };
}
