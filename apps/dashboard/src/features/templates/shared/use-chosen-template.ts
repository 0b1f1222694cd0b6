import { useState } from 'react';
import type { Schemas } from '../../../api/client';

type Template = Schemas['ManagedTemplate'];

/**
 * @param id what the user chose; without it the template stays that was shown first
 * @returns the template of a form. A new read of the list changes neither which one it is nor, when the list lacks it,
 * the form
 */
export function chosenOf(
  templates: readonly Template[],
  id: string | undefined,
  before: Template | undefined,
): Template | undefined {
  const find = (wanted: string | undefined) => templates.find((each) => each.id === wanted);
  return find(id) ?? find(before?.id) ?? before ?? templates[0];
}

/** @returns the template of a form, and the choices: a list that lacks the template has it all the same */
export function useChosen(templates: readonly Template[], id: string | undefined) {
  const [before, setBefore] = useState<Template>();
  const template = chosenOf(templates, id, before);
  if (template !== before) setBefore(template);
  const isListed = template === undefined || templates.includes(template);
  return { template, choices: isListed ? templates : [template, ...templates] };
}
