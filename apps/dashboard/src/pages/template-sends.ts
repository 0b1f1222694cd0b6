import { bracedTextsOf, variableNamesOf } from '@switchboard/template-rules';
import type { Schemas } from '../api/client';
import type { ButtonForm } from './button-form';
import type { CardForm } from './card-form';
import { isMedia, type MediaFormat, type TemplateForm } from './template-form';
import { changedAt, type FormVariable, variablesOf } from './template-variables';

type SentComponent = NonNullable<Schemas['TestSend']['components']>[number];

/** Stands for the code of an authentication template. */
const SAMPLE_CODE = '123456';
const SAMPLE_LINK = 'https://example.com/file';
const SAMPLE_PRODUCT = 'SKU-17';
const SAMPLE_END = '2030-01-01T00:00';

/** One value that a send asks for. */
export interface SendValue extends Pick<FormVariable, 'value' | 'change'> {
  label: string;
  hint?: string;
  /** The type of its field, where it is no text. */
  type?: 'url' | 'datetime-local';
  /** A send goes without it as well. */
  isOptional?: boolean;
}

/** What a send asks for: every variable, and what stands in no text: codes, the end of an offer, products, files. */
export function sendValuesOf(form: TemplateForm): SendValue[] {
  const { buttons, cards, offer } = form;
  return [
    ...cards.map(
      ({ link }, index): SendValue => ({
        ...{ label: `Address of the file of card ${index + 1}`, value: link, type: 'url' },
        change: (value) => ({ cards: changedAt(cards, index, { link: value }) }),
      }),
    ),
    ...variablesOf(form).map(({ name, where, ...variable }) => ({ ...variable, label: `{{${name}}} of ${where}` })),
    ...(offer?.ends
      ? [
          {
            ...{ label: 'End of the offer', value: offer.endsAt, type: 'datetime-local' as const },
            change: (endsAt: string) => ({ offer: { ...offer, endsAt } }),
          },
        ]
      : []),
    ...buttons.flatMap((button, index) =>
      buttonValues(button, index, (changed) => ({ buttons: changedAt(buttons, index, changed) })),
    ),
  ];
}

function buttonValues(
  { type, value, sample }: ButtonForm,
  index: number,
  set: (changed: Partial<ButtonForm>) => Partial<TemplateForm>,
): SendValue[] {
  const ofValue = (label: string, isOptional = false): SendValue => ({
    ...{ label, value, isOptional },
    change: (text) => set({ value: text }),
  });
  const ofSample = (label: string, hint: string, isOptional = false): SendValue => ({
    ...{ label, hint, value: sample, isOptional },
    change: (text) => set({ sample: text }),
  });
  if (type === 'COPY_CODE') return [ofValue(`Code of button ${index + 1}`)];
  if (type === 'CATALOG') return [ofValue('Product whose picture is shown', true)];
  if (type === 'MPM')
    return [
      ofValue('Product whose picture is shown'),
      ofSample('Products', 'Their ids in the catalogue, with commas between them'),
    ];
  return type === 'FLOW' ? [ofSample('Token of the flow', 'Comes back with the answers', true)] : [];
}

/** Whether a send needs more than the variables of the body, which is all that a sheet can give. */
export function needsMoreThanBody(form: TemplateForm): boolean {
  const { header, cards, offer, buttons } = form;
  const isMore = isMedia(header) || cards.length > 0 || offer?.ends === true;
  const needsButton = buttons.some(({ type }) => type === 'COPY_CODE' || type === 'MPM' || type === 'FLOW');
  return isMore || needsButton || variablesOf(form).some(({ where }) => where !== 'Body');
}

/** The form without its samples: nobody shall get one by mistake. */
export function withoutSamples(form: TemplateForm): TemplateForm {
  const buttons = form.buttons.map((button) => ({
    ...button,
    sample: '',
    ...(button.type === 'COPY_CODE' && { value: '' }),
  }));
  const cards = form.cards.map((card) => ({
    ...card,
    bodySamples: {},
    buttons: card.buttons.map((button) => ({ ...button, sample: '' })),
  }));
  return { ...form, headerSample: '', bodySamples: {}, buttons, cards };
}

/** What the template is sent with, and fills its variables. */
export interface TemplateSend {
  name: string;
  language: string;
  category: string;
  /** Its samples fill the variables. */
  form: TemplateForm;
  /** Of the header's file. */
  link?: string;
  /** Of an authentication template. */
  code?: string;
}

/** A send of the template as the public API takes it, with its samples. */
export function sampleSend({ name, language, category, form, ...given }: TemplateSend) {
  const { link = SAMPLE_LINK, code = SAMPLE_CODE } = given;
  const components = category === 'AUTHENTICATION' ? codeComponents(code) : textComponents(form, link);
  const template = { name, language: { code: language }, ...(components.length > 0 && { components }) };
  return { to: '919812345678', type: 'template', template };
}

function codeComponents(code: string): SentComponent[] {
  const parameters = [{ type: 'text' as const, text: code }];
  return [
    { type: 'body', parameters },
    { type: 'button', sub_type: 'url', index: '0', parameters },
  ];
}

function textComponents(form: TemplateForm, link: string): SentComponent[] {
  const { header, headerText, headerSample, body, bodySamples, buttons, cards, offer } = form;
  const [inHeader] = header === 'TEXT' ? bracedTextsOf(headerText) : [];
  return [
    ...(isMedia(header) ? [{ type: 'header', parameters: [fileAt(link, header)] }] : []),
    ...(inHeader === undefined ? [] : [{ type: 'header', parameters: [filled(inHeader, headerSample)] }]),
    ...bodyComponents(body, bodySamples),
    ...(offer?.ends ? [offerComponent(offer.endsAt)] : []),
    ...buttons.flatMap(buttonComponents),
    ...(cards.length === 0 ? [] : [{ type: 'carousel', cards: cards.map(cardOf) }]),
  ] as SentComponent[];
}

function bodyComponents(body: string, samples: Record<string, string>): object[] {
  const parameters = variableNamesOf(body).map((name) => filled(name, samples[name] ?? ''));
  return parameters.length === 0 ? [] : [{ type: 'body', parameters }];
}

function cardOf({ header, link, hasBody, body, bodySamples, buttons }: CardForm, index: number): object {
  return {
    card_index: index,
    components: [
      { type: 'header', parameters: [fileAt(link || SAMPLE_LINK, header)] },
      ...(hasBody ? bodyComponents(body, bodySamples) : []),
      ...buttons.flatMap(buttonComponents),
    ],
  };
}

function offerComponent(endsAt: string): object {
  const end = new Date(endsAt || SAMPLE_END).getTime();
  return {
    type: 'limited_time_offer',
    parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: end } }],
  };
}

function buttonComponents({ type, value, sample }: ButtonForm, index: number): object[] {
  const button = (subType: string, parameter: object): object[] => [
    { type: 'button', sub_type: subType, index: String(index), parameters: [parameter] },
  ];
  const action = (subType: string, what: object): object[] => button(subType, { type: 'action', action: what });
  const thumbnail = { thumbnail_product_retailer_id: value || SAMPLE_PRODUCT };
  if (type === 'COPY_CODE') return button('copy_code', { type: 'coupon_code', coupon_code: value });
  if (type === 'CATALOG') return value === '' ? [] : action('catalog', thumbnail);
  if (type === 'MPM') return action('mpm', { ...thumbnail, sections: [{ product_items: productsOf(sample) }] });
  if (type === 'FLOW') return action('flow', sample === '' ? {} : { flow_token: sample });
  const isLink = type === 'URL' && bracedTextsOf(value).length > 0;
  return isLink ? button('url', { type: 'text', text: sample }) : [];
}

function productsOf(text: string): object[] {
  const ids = text.split(',').flatMap((id) => (id.trim() === '' ? [] : [id.trim()]));
  return (ids.length === 0 ? [SAMPLE_PRODUCT] : ids).map((id) => ({ product_retailer_id: id }));
}

/** A name that is no number is given with its value. */
function filled(name: string, text: string): { type: 'text'; text: string; parameter_name?: string } {
  return { type: 'text', text, ...(!/^[0-9]*$/.test(name) && { parameter_name: name.trim() }) };
}

function fileAt(link: string, header: MediaFormat): object {
  const kind = header.toLowerCase();
  return { type: kind, [kind]: { link } };
}
