import { askedOf, formWith, isFilled, labelOf, samplesOf, sentTemplate, unsendable } from './send-values';
import { toForm } from './template-form';

const template = {
  ...{ name: 'offer', language: 'en', category: 'UTILITY' },
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

describe('what a template asks for before it is sent', () => {
  it('is every variable, by a name that people understand', () => {
    expect(asked.map((variable) => labelOf(variable, form))).toEqual([
      ...['{{1}} of Header', '{{1}} of Body', '{{2}} of Body', '{{1}} of Link of “Track”', 'Code of button 3'],
    ]);
    expect(samplesOf(asked)).toEqual(samples);
  });

  it.each([
    ['IMAGE', ['Address of the file']],
    ['DOCUMENT', ['Address of the file', 'Name of the file']],
    ['LOCATION', ['Latitude', 'Longitude', 'Name of the place', 'Address of the place']],
  ])('is all that a header of the format %s needs', (format, labels) => {
    const ofHeader = askedOf({ components: [{ type: 'HEADER', format }], category: 'UTILITY' });
    expect(ofHeader.map((variable) => labelOf(variable, form))).toEqual(labels);
  });

  it('is given once nothing that is needed is missing or blank', () => {
    expect(isFilled(asked, samples)).toBe(true);
    expect(isFilled(asked, { ...samples, 'button 2': ' ' })).toBe(false);
    const document = askedOf({ components: [{ type: 'HEADER', format: 'DOCUMENT' }], category: 'UTILITY' });
    expect([isFilled(document, { 'header link': 'https://example.com/a.pdf' }), isFilled(document, {})]).toEqual([
      ...[true, false],
    ]);
  });

  it('cannot be given for a header of a kind that came later', () => {
    const later = askedOf({ components: [{ type: 'HEADER', format: 'PRODUCT' }], category: 'UTILITY' });
    expect([unsendable(later), unsendable(asked)]).toEqual([expect.stringContaining('cannot send'), undefined]);
  });
});

it('a send names what was given, and nothing that was left empty', () => {
  const named = { name: 'offer', language: { code: 'en' } };
  expect(sentTemplate(template, { '1': 'Ravi', 'header filename': '' })).toEqual({
    ...named,
    variables: { '1': 'Ravi' },
  });
  expect(sentTemplate(template, {})).toEqual(named);
});

it('a preview shows values, and samples where there is none yet', () =>
  expect(formWith(form, asked, { 'header 1': 'Ravi', '2': 'Friday', '1': '' })).toMatchObject({
    headerSample: 'Ravi',
    bodySamples: { 1: 'Asha', 2: 'Friday' },
  }));
