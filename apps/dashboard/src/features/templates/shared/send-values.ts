import { isFileKind, type TemplateVariable, templateVariables } from '@switchboard/template-rules';
import { useMemo, useState } from 'react';
import type { Schemas } from '../../../api/client';
import { timeOfField } from '../../../lib/formats';
import { productList } from './product-list';
import { type TemplateForm, toForm } from './template-form';

type Template = Pick<Schemas['ManagedTemplate'], 'id' | 'name' | 'language' | 'category' | 'components'>;

export type Values = Readonly<Record<string, string>>;

const NO_VALUES: Values = {};
const LABELS: Partial<Record<TemplateVariable['kind'], string>> = {
  filename: 'File name',
  latitude: 'Latitude',
  longitude: 'Longitude',
  name: 'Location name',
  address: 'Location address',
  product: 'Product ID',
  catalog: 'Catalog ID',
  offer_end: 'Offer end',
  thumbnail: 'Thumbnail product',
  product_list: 'Products',
  flow_token: 'Flow token',
};

/**
 * Returns all variables to ask for before a send. Omits the payloads of quick replies, and adds the product whose
 * picture a product list shows.
 */
export function askedOf(template: Pick<Template, 'components' | 'category'>): TemplateVariable[] {
  return templateVariables(template)
    .filter(({ kind }) => kind !== 'payload')
    .flatMap((variable) => (variable.kind === 'product_list' ? [pictureOf(variable), variable] : [variable]));
}

const pictureOf = (list: TemplateVariable): TemplateVariable => ({
  ...list,
  key: `${list.key} picture`,
  kind: 'thumbnail',
});

/** Returns the label of a variable in a form; buttons are named by their texts, cards by their numbers. */
export function labelOf({ place, card, index = 0, key, kind }: TemplateVariable, form: TemplateForm): string {
  const { buttons } = card === undefined ? form : (form.cards[card] ?? { buttons: [] });
  const ofCard = card === undefined ? '' : ` of card ${card + 1}`;
  if (isFileKind(kind)) return `File URL${ofCard}`;
  if (kind === 'coupon_code') return `Code of button ${index + 1}${ofCard}`;
  if (kind === 'text' && place === 'button')
    return `URL suffix of “${buttons[index]?.text || `button ${index + 1}`}”${ofCard}`;
  return `${LABELS[kind] ?? `{{${key.split(' ').at(-1)}}} in the ${place === 'header' ? 'header' : 'text'}`}${ofCard}`;
}

export function isFilled(variables: readonly TemplateVariable[], values: Values): boolean {
  return variables.every(({ key, kind, isOptional }) => {
    const value = (values[key] ?? '').trim();
    if (value === '') return isOptional;
    return kind !== 'offer_end' || timeOfField(value) !== undefined;
  });
}

/** Returns why a template cannot be sent, whatever its values. */
export function unsendable(variables: readonly TemplateVariable[]): string | undefined {
  return variables.some(({ kind }) => kind === 'other') ? 'Headers of this type cannot be sent' : undefined;
}

/** Returns why a spreadsheet cannot fill a template. */
export function unsendableBySheet(variables: readonly TemplateVariable[]): string | undefined {
  const hasList = variables.some(({ kind }) => kind === 'product_list');
  return hasList
    ? 'Spreadsheets do not support product lists. Use a list of phone numbers instead'
    : unsendable(variables);
}

/** Returns the template of a send request in the public API. */
export function sentTemplate(template: Omit<Template, 'id'>, values: Values) {
  const asked = askedOf(template);
  const lists = asked.filter(({ kind }) => kind === 'product_list');
  const ofLists = new Set(lists.flatMap((list) => [list.key, pictureOf(list).key]));
  const given = asked.filter(({ key }) => !ofLists.has(key) && (values[key] ?? '') !== '');
  const components = lists.flatMap((list) =>
    productList(list, { products: values[list.key] ?? '', picture: values[pictureOf(list).key] ?? '' }),
  );
  return {
    name: template.name,
    language: { code: template.language },
    ...(given.length > 0 && {
      variables: Object.fromEntries(given.map((variable) => [variable.key, sentValue(variable, values)])),
    }),
    ...(components.length > 0 && { components }),
  };
}

/** Date and time fields are in the account's time zone. */
function sentValue({ key, kind }: TemplateVariable, values: Values): string {
  const value = values[key] ?? '';
  return (kind === 'offer_end' ? timeOfField(value) : undefined) ?? value;
}

/** Returns the template's own samples. */
export function samplesOf(variables: readonly TemplateVariable[]): Values {
  return Object.fromEntries(variables.map(({ key, sample }) => [key, sample]));
}

/** Returns the form for a preview, with values in place of samples. */
export function formWith(form: TemplateForm, variables: readonly TemplateVariable[], values: Values): TemplateForm {
  const of = (place: TemplateVariable['place'], ofCard?: number): TemplateVariable[] =>
    variables.filter(({ place: at, card, key }) => at === place && card === ofCard && values[key]);
  const bodyOf = (card?: number): Record<string, string> =>
    Object.fromEntries(of('body', card).map(({ key }) => [key.split(' ').at(-1) ?? '', values[key] ?? '']));
  const valueOf = (card: number | undefined, isWanted: (kind: TemplateVariable['kind']) => boolean) => {
    const found = of('header', card).find(({ kind }) => isWanted(kind));
    return found && values[found.key];
  };
  const fileOf = (file: string, card?: number): string => {
    const given = valueOf(card, isFileKind);
    return given === undefined || given === file ? file : shownFile(given);
  };
  const name = valueOf(undefined, (kind) => kind === 'filename');
  return {
    ...form,
    bodySamples: { ...form.bodySamples, ...bodyOf() },
    headerSample: valueOf(undefined, (kind) => kind === 'text') ?? form.headerSample,
    headerFile: fileOf(form.headerFile),
    ...(name !== undefined && { headerFileName: name }),
    cards: form.cards.map((card, index) => ({
      ...card,
      headerFile: fileOf(card.headerFile, index),
      bodySamples: { ...card.bodySamples, ...bodyOf(index) },
    })),
  };
}

/** Returns the stored samples that the template was approved with, as the default files of its headers. */
export function approvedSamples(variables: readonly TemplateVariable[], form: TemplateForm): Values {
  const samples = variables.flatMap(({ key, kind, card }) => {
    const { headerFile } = card === undefined ? form : (form.cards[card] ?? { headerFile: '' });
    return isFileKind(kind) && headerFile.startsWith('med_') ? [[key, headerFile] as const] : [];
  });
  return Object.fromEntries(samples);
}

/** Returns the path of an uploaded file; a link of another host stays. */
export const shownFile = (given: string): string =>
  given.startsWith('med_') ? `/console/v1/media/${encodeURIComponent(given)}` : given;

/**
 * Holds the values for a template and resets them when the template changes. The defaults are the approved samples, and
 * values that `presetOf` returns.
 */
export function useValues(
  template: Template | undefined,
  presetOf: (variables: readonly TemplateVariable[]) => Values = () => NO_VALUES,
) {
  const [given, setGiven] = useState<{ id: string; values: Values }>();
  const variables = useMemo(() => (template ? askedOf(template) : []), [template]);
  const form = useMemo(() => template && toForm(template.components, template.category), [template]);
  const samples = useMemo(() => (form ? approvedSamples(variables, form) : NO_VALUES), [form, variables]);
  const chosen = given !== undefined && given.id === template?.id ? given.values : presetOf(variables);
  return {
    variables,
    form,
    samples,
    values: { ...samples, ...chosen },
    setValues: (values: Values): void => template && setGiven({ id: template.id, values }),
  };
}
