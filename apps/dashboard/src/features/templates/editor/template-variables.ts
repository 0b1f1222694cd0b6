import { bracedTextsOf, variableNamesOf } from '@switchboard/template-rules';
import type { ButtonForm } from '../shared/button-form';
import type { CardForm } from '../shared/card-form';
import type { TemplateForm } from '../shared/template-form';

export interface FormVariable {
  name: string;
  /** `Header`, `Body`, `Link of “Track”`, `Body of card 1`. */
  where: string;
  value: string;
  /** Returns the form changes for another sample. */
  change(value: string): Partial<TemplateForm>;
}

/** Returns the variables of header, body, URLs and cards, in this order. Variables of one text are sorted by number. */
export function variablesOf(form: TemplateForm): FormVariable[] {
  const { header, headerText, headerSample, body, bodySamples, buttons, cards } = form;
  return [
    ...(header === 'TEXT' ? bracedTextsOf(headerText).slice(0, 1) : []).map((name) => ({
      name,
      where: 'Header',
      value: headerSample,
      change: (value: string) => ({ headerSample: value }),
    })),
    ...variableNamesOf(body).map((name) => ({
      name,
      where: 'Body',
      value: bodySamples[name] ?? '',
      change: (value: string) => ({ bodySamples: { ...bodySamples, [name]: value } }),
    })),
    ...linkVariables(buttons, '', (changed) => ({ buttons: changed })),
    ...cards.flatMap((card, index) =>
      cardVariables(card, index, (changed) => ({
        cards: cards.map((one) => (one.key === card.key ? { ...one, ...changed } : one)),
      })),
    ),
  ];
}

function cardVariables(
  { hasBody, body, bodySamples, buttons }: CardForm,
  index: number,
  change: (changed: Partial<CardForm>) => Partial<TemplateForm>,
): FormVariable[] {
  const card = ` of card ${index + 1}`;
  return [
    ...(hasBody ? variableNamesOf(body) : []).map((name) => ({
      name,
      where: `Body${card}`,
      value: bodySamples[name] ?? '',
      change: (value: string) => change({ bodySamples: { ...bodySamples, [name]: value } }),
    })),
    ...linkVariables(buttons, card, (changed) => change({ buttons: changed })),
  ];
}

function linkVariables(
  buttons: readonly ButtonForm[],
  place: string,
  change: (buttons: ButtonForm[]) => Partial<TemplateForm>,
): FormVariable[] {
  return buttons.flatMap(({ type, text, value: address, sample }, index) =>
    type === 'URL' && bracedTextsOf(address).length > 0
      ? [
          {
            name: '1',
            where: `Link of “${text || `button ${index + 1}`}”${place}`,
            value: sample,
            change: (value: string) => change(changedAt(buttons, index, { sample: value })),
          },
        ]
      : [],
  );
}

export function changedAt<Element extends object>(
  list: readonly Element[],
  index: number,
  changed: Partial<Element>,
): Element[] {
  return list.map((one, at) => (at === index ? { ...one, ...changed } : one));
}
