import { showTimesIn } from '../../../lib/formats';
import {
  approvedSamples,
  askedOf,
  formWith,
  isFilled,
  labelOf,
  samplesOf,
  sentTemplate,
  unsendable,
  unsendableBySheet,
} from './send-values';
import { toForm } from './template-form';

const template = {
  name: 'offer',
  language: 'en',
  category: 'UTILITY',
  components: [
    { type: 'HEADER', format: 'TEXT', text: 'For {{1}}', example: { header_text: ['Asha'] } },
    { type: 'BODY', text: 'On {{2}} the parcel of {{1}} comes.', example: { body_text: [['Asha', 'Monday']] } },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Thanks' },
        { type: 'URL', text: 'Track', url: 'https://example.com/{{1}}', example: ['https://example.com/A-17'] },
        { type: 'COPY_CODE', example: 'SAVE10' },
      ],
    },
  ],
};
const form = toForm(template.components, template.category);
const asked = askedOf(template);
const samples = { 'header 1': 'Asha', '1': 'Asha', '2': 'Monday', 'button 2': 'A-17', 'button 3': 'SAVE10' };

describe('askedOf', () => {
  it('lists every variable under a readable label', () => {
    expect(asked.map((variable) => labelOf(variable, form))).toEqual([
      '{{1}} in the header',
      '{{1}} in the text',
      '{{2}} in the text',
      'URL suffix of “Track”',
      'Code of button 3',
    ]);
    expect(samplesOf(asked)).toEqual(samples);
  });

  it.each([
    ['IMAGE', ['File URL']],
    ['DOCUMENT', ['File URL', 'File name']],
    ['LOCATION', ['Latitude', 'Longitude', 'Location name', 'Location address']],
  ])('lists all values of a %s header', (format, labels) => {
    const ofHeader = askedOf({ components: [{ type: 'HEADER', format }], category: 'UTILITY' });
    expect(ofHeader.map((variable) => labelOf(variable, form))).toEqual(labels);
  });

  it('is complete once no required value is missing or blank', () => {
    expect(isFilled(asked, samples)).toBe(true);
    expect(isFilled(asked, { ...samples, 'button 2': ' ' })).toBe(false);
    const document = askedOf({ components: [{ type: 'HEADER', format: 'DOCUMENT' }], category: 'UTILITY' });
    expect([isFilled(document, { 'header link': 'https://example.com/a.pdf' }), isFilled(document, {})]).toEqual([
      true,
      false,
    ]);
  });

  it('rejects an unknown header format', () => {
    const later = askedOf({ components: [{ type: 'HEADER', format: 'STICKER' }], category: 'UTILITY' });
    expect([unsendable(later), unsendable(asked)]).toEqual([expect.stringContaining('cannot be sent'), undefined]);
  });
});

it('sentTemplate includes given values and omits empty ones', () => {
  const named = { name: 'offer', language: { code: 'en' } };
  expect(sentTemplate(template, { '1': 'Ravi', 'header filename': '' })).toEqual({
    ...named,
    variables: { '1': 'Ravi' },
  });
  expect(sentTemplate(template, {})).toEqual(named);
});

it('formWith shows values, and samples where values are missing', () =>
  expect(formWith(form, asked, { 'header 1': 'Ravi', '2': 'Friday', '1': '' })).toMatchObject({
    headerSample: 'Ravi',
    bodySamples: { 1: 'Asha', 2: 'Friday' },
  }));

describe('approvedSamples', () => {
  const header = (sample: string) => ({ type: 'HEADER', format: 'IMAGE', example: { header_handle: [sample] } });
  const samplesIn = (...components: Record<string, unknown>[]) => {
    const given = { components, category: 'MARKETING' };
    return approvedSamples(askedOf(given), toForm(components, given.category));
  };

  it('returns stored samples of header and cards, not links', () => {
    const card = (sample: string) => ({ components: [header(sample), { type: 'BODY', text: 'New this week.' }] });
    expect(samplesIn(header('med_1'))).toEqual({ 'header link': 'med_1' });
    expect(samplesIn(header('https://example.com/a.png'))).toEqual({});
    expect(samplesIn({ type: 'CAROUSEL', cards: [card('med_1'), card('https://example.com/a.png')] })).toEqual({
      'card 1 header link': 'med_1',
    });
  });

  it('are shown from the sample until another file replaces them', () => {
    const components = [header('med_1')];
    const given = { components, category: 'MARKETING' };
    const shown = (value: string) =>
      formWith(toForm(components, given.category), askedOf(given), { 'header link': value }).headerFile;
    expect([shown('med_1'), shown('med_2'), shown('https://example.com/a.png')]).toEqual([
      'med_1',
      '/console/v1/media/med_2',
      'https://example.com/a.png',
    ]);
  });
});

describe('templates with cards, offers or products', () => {
  const card = {
    components: [
      { type: 'HEADER', format: 'VIDEO', example: { header_handle: ['https://example.com/a.mp4'] } },
      { type: 'BODY', text: 'Now only {{1}} for you.', example: { body_text: [['$1']] } },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'More' },
          { type: 'URL', text: 'Buy', url: 'https://example.com/{{1}}', example: ['https://example.com/a'] },
        ],
      },
    ],
  };
  const of = (...components: Record<string, unknown>[]) => ({
    name: 'news',
    language: 'en',
    category: 'MARKETING',
    components,
  });
  const withButton = (type: string) => of({ type: 'BUTTONS', buttons: [{ type, text: 'Open' }] });
  const carousel = of({ type: 'CAROUSEL', cards: [card, card] });
  const offer = of({ type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Soon', has_expiration: true } });
  const labels = (given: ReturnType<typeof of>) =>
    askedOf(given).map((variable) => labelOf(variable, toForm(given.components, given.category)));

  it('asks for every value', () => {
    expect(labels(carousel)).toEqual([
      'File URL of card 1',
      '{{1}} in the text of card 1',
      'URL suffix of “Buy” of card 1',
      'File URL of card 2',
      '{{1}} in the text of card 2',
      'URL suffix of “Buy” of card 2',
    ]);
    expect(samplesOf(askedOf(carousel))).toMatchObject({
      'card 1 header link': 'https://example.com/a.mp4',
      'card 2 1': '$1',
      'card 2 button 2': 'a',
    });
    expect(labels(offer)).toEqual(['Offer end']);
    expect(labels(withButton('CATALOG'))).toEqual(['Thumbnail product']);
    expect(labels(withButton('MPM'))).toEqual(['Thumbnail product', 'Products']);
    expect(labels(withButton('FLOW'))).toEqual(['Flow token']);
    expect(labels(of({ type: 'HEADER', format: 'GIF' }))).toEqual(['File URL']);
    expect(labels(of({ type: 'HEADER', format: 'PRODUCT' }))).toEqual(['Product ID', 'Catalog ID']);
  });

  it("shows a card's value in that card", () =>
    expect(
      formWith(toForm(carousel.components, carousel.category), askedOf(carousel), { 'card 2 1': '$2' }).cards,
    ).toMatchObject([{ bodySamples: { 1: '$1' } }, { bodySamples: { 1: '$2' } }]));

  it('sends the end of an offer in the time zone of the account', () => {
    showTimesIn('Asia/Kolkata');
    expect(sentTemplate(offer, { 'offer end': '2026-12-01 10:00' })).toMatchObject({
      variables: { 'offer end': '2026-12-01T04:30:00.000Z' },
    });
    showTimesIn(null);
  });

  it.each([
    ['2026-12-01 10:00', true],
    ['01.12.2026 10:00', false],
    ['', false],
  ])('counts the end of an offer %j as filled: %s', (end, isDate) =>
    expect(isFilled(askedOf(offer), { 'offer end': end })).toBe(isDate),
  );

  it('sends products as an object next to the variables', () => {
    const products = of({ type: 'BODY', text: 'For {{1}}.' }, ...withButton('MPM').components);
    const values = { '1': 'Asha', 'button 1 picture': 'SKU-1', 'button 1': 'SKU-1, SKU-2,' };
    const items = [{ product_retailer_id: 'SKU-1' }, { product_retailer_id: 'SKU-2' }];
    const action = { thumbnail_product_retailer_id: 'SKU-1', sections: [{ product_items: items }] };
    expect(sentTemplate(products, values)).toEqual({
      name: 'news',
      language: { code: 'en' },
      variables: { '1': 'Asha' },
      components: [{ type: 'button', sub_type: 'mpm', index: '0', parameters: [{ type: 'action', action }] }],
    });
    expect([unsendable(askedOf(products)), unsendableBySheet(askedOf(products))]).toEqual([
      undefined,
      expect.stringContaining('do not support product lists'),
    ]);
  });

  it('requires no picture for a catalog', () => expect(isFilled(askedOf(withButton('CATALOG')), {})).toBe(true));
});
