import { useEffect } from 'react';

/** Forms in which something was entered that is not saved. */
const unsaved = new Set<Element>();
/** Those of them that were submitted since, and wait for their response. */
const submitted = new WeakSet<Element>();

/** Records that something was entered in a form. */
export function markUnsaved(form: Element): void {
  unsaved.add(form);
  submitted.delete(form);
}

/** Records that a form was submitted. It stays unsaved until a change succeeds. */
export const markSubmitted = (form: Element): void => void submitted.add(form);

/** A change succeeded: what was submitted is saved. */
export function forgetSubmitted(): void {
  for (const form of unsaved) if (submitted.has(form)) unsaved.delete(form);
}

export const forgetUnsaved = (form: Element): void => void unsaved.delete(form);

/** Whether something is unsaved, in any form or within this element. */
export const isUnsaved = (within?: Element | null): boolean =>
  [...unsaved].some((form) => form.isConnected && (within == null || within.contains(form)));

/** Forgets the form when it leaves the page. */
export function useForgetUnsaved(form: { readonly current: Element | null }): void {
  useEffect(() => {
    const shown = form.current;
    return () => {
      if (shown) forgetUnsaved(shown);
    };
  }, [form]);
}
