import { useEffect } from 'react';

/** Forms with unsaved input. */
const unsaved = new Set<Element>();
/** Unsaved forms that were submitted and wait for their response. */
const submitted = new WeakSet<Element>();

export function markUnsaved(form: Element): void {
  unsaved.add(form);
  submitted.delete(form);
}

/** Marks a form as submitted. It stays unsaved until a mutation succeeds. */
export const markSubmitted = (form: Element): void => void submitted.add(form);

/** Marks all submitted forms as saved. Call it after a mutation has succeeded. */
export function forgetSubmitted(): void {
  for (const form of unsaved) if (submitted.has(form)) unsaved.delete(form);
}

export const forgetUnsaved = (form: Element): void => void unsaved.delete(form);

/** Returns whether any form is unsaved, optionally only within an element. */
export const isUnsaved = (within?: Element | null): boolean =>
  [...unsaved].some((form) => form.isConnected && (within == null || within.contains(form)));

/** Unregisters the form when it is unmounted. */
export function useForgetUnsaved(form: { readonly current: Element | null }): void {
  useEffect(() => {
    const shown = form.current;
    return () => {
      if (shown) forgetUnsaved(shown);
    };
  }, [form]);
}
