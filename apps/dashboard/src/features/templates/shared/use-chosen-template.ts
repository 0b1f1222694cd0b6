import { useState } from 'react';
import type { Schemas } from '../../../api/client';

type Template = Schemas['ManagedTemplate'];

/**
 * Returns the template of a form. A refetch that reorders the list or omits the template does not change the choice.
 * @param id the user's choice; if absent, the template that was shown first stays
 */
export function chosenOf(
  templates: readonly Template[],
  id: string | undefined,
  before: Template | undefined,
): Template | undefined {
  const find = (wanted: string | undefined) => templates.find((each) => each.id === wanted);
  return find(id) ?? find(before?.id) ?? before ?? templates[0];
}

/** Returns the template of a form, and the choices, which always include that template. */
export function useChosen(templates: readonly Template[], id: string | undefined) {
  const [before, setBefore] = useState<Template>();
  const template = chosenOf(templates, id, before);
  if (template !== before) setBefore(template);
  const isListed = template === undefined || templates.includes(template);
  return { template, choices: isListed ? templates : [template, ...templates] };
}
