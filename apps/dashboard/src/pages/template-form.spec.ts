import { contentFaults, toDraftContent } from '@switchboard/template-rules';
import { emptyForm, type TemplateForm, toComponents, toForm } from './template-form';

const FULL: TemplateForm = {
  ...emptyForm('UTILITY'),
  header: 'TEXT',
  headerText: 'Order {{1}}',
  headerSample: 'A-17',
  body: 'Hi {{1}}, your order comes on {{2}} as planned.',
  bodySamples: ['Asha', 'Monday'],
  footer: 'Acme',
  buttons: [
    { type: 'QUICK_REPLY', text: 'Thanks', value: '', sample: '' },
    { type: 'URL', text: 'Track', value: 'https://example.com/{{1}}', sample: 'A-17' },
    { type: 'PHONE_NUMBER', text: 'Call', value: '+15550783881', sample: '' },
    { type: 'COPY_CODE', text: '', value: 'SAVE10', sample: '' },
  ],
};
const CODE: TemplateForm = {
  ...emptyForm('AUTHENTICATION'),
  expiryMinutes: '10',
  otpType: 'ZERO_TAP',
  packageName: 'com.example.app',
  signatureHash: 'K8a/AINcGX7',
  acceptsZeroTap: true,
};

describe('the form of a template', () => {
  it.each([
    ['UTILITY', FULL],
    ['MARKETING', { ...emptyForm('MARKETING'), header: 'LOCATION', body: 'We have moved to a new place.' }],
    ['UTILITY', { ...FULL, header: 'IMAGE', headerText: '', headerSample: '', headerFile: 'med_01jd' }],
    ['AUTHENTICATION', CODE],
    ['AUTHENTICATION', emptyForm('AUTHENTICATION')],
  ] as [string, TemplateForm][])('of category %s writes what the rules accept, and reads it back', (category, form) => {
    const components = toComponents(form, category);
    expect(contentFaults(toDraftContent({ name: 'order_update', language: 'en_US', category, components }))).toEqual(
      [],
    );
    expect(toForm(components, category)).toEqual(form);
  });

  it('drops samples of variables that are gone', () => {
    const components = toComponents({ ...FULL, body: 'Hi {{1}}, thank you.' }, 'UTILITY');
    expect(components).toContainEqual({
      type: 'BODY',
      text: 'Hi {{1}}, thank you.',
      example: { body_text: [['Asha']] },
    });
  });
});
