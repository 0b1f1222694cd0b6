import { useState } from 'react';
import type { Schemas } from '../../../api/client';

type Template = Schemas['ManagedTemplate'];

/**
 * Returns the template of a form. A refetch that reorders the list or omits the template does not change the choice.
 * @param id the user's choice; if absent, the template that was shown first stays
 * @param options.isPreset whether the first template is chosen until the user chooses one
 */
export function chosenOf(
  templates: readonly Template[],
  id: string | undefined,
  before: Template | undefined,
  { isPreset = true }: { isPreset?: boolean } = {},
): Template | undefined {
  const find = (wanted: string | undefined) => templates.find((each) => each.id === wanted);
  return find(id) ?? find(before?.id) ?? before ?? (isPreset ? templates[0] : undefined);
}

/** Returns the template of a form, and the choices, which always include that template. */
export function useChosen(templates: readonly Template[], id: string | undefined, how?: { isPreset: boolean }) {
  const [before, setBefore] = useState<Template>();
  const template = chosenOf(templates, id, before, how);
  if (template !== before) setBefore(template);
  const isListed = template === undefined || templates.includes(template);
  return { template, choices: isListed ? templates : [template, ...templates] };
}
