import type { CheckedTemplateFacts, MessageContent } from '@switchboard/contracts';
import { faultOfRow, variablesOfTemplate, withComponents } from './row-components';

const facts: CheckedTemplateFacts = { name: 'a', language: 'en_US', category: 'UTILITY', bodyVariables: ['1', '2'] };
const components = [
  { type: 'BODY', text: '{{1}} {{2}}' },
  { type: 'HEADER', format: 'IMAGE' },
];
const NUMBER = { phoneNumber: '15550783881', throughput: 80 };
const message = (template: object): MessageContent =>
  ({ type: 'template', template: { name: 'a', language: { code: 'en_US' }, ...template } }) as MessageContent;

describe('job template variables', () => {
  it('include all components', () =>
    expect(variablesOfTemplate({ ...facts, components }).map(({ key }) => key)).toEqual(['header link', '1', '2']));

  it('include only the body with the previous messaging version', () =>
    expect(variablesOfTemplate(facts).map(({ key }) => key)).toEqual(['1', '2']));
});

describe('shared job variables', () => {
  const checked = { ...NUMBER, template: { ...facts, components } };
  const link = 'https://example.com/a.png';

  it('become components if they are given', () =>
    expect(withComponents(message({ variables: { 'header link': link } }), checked)).toEqual(
      message({ components: [{ type: 'header', parameters: [{ type: 'image', image: { link } }] }] }),
    ));

  it('are merged with the parameters of buttons', () => {
    const mpm = { type: 'BUTTONS', buttons: [{ type: 'MPM', text: 'View items' }] };
    const template = { ...facts, components: [...components, mpm] };
    const products = {
      type: 'button',
      sub_type: 'mpm',
      index: '0',
      parameters: [{ type: 'action', action: { thumbnail_product_retailer_id: 'SKU-1' } }],
    };
    const given = message({ variables: { 'header link': link }, components: [products] });
    expect(withComponents(given, { ...NUMBER, template })).toEqual(
      message({ components: [{ type: 'header', parameters: [{ type: 'image', image: { link } }] }, products] }),
    );
  });

  it('leave the message unchanged when there are none', () => {
    const own = message({ components: [{ type: 'body', parameters: [] }] });
    expect(withComponents(own, checked)).toBe(own);
  });

  it.each([
    [{ variables: { colour: 'red' } }, 'TEMPLATE_PARAMS_MISMATCH'],
    [{ variables: { 'header link': 'http://example.com' } }, 'INVALID_LINK'],
    [{ variables: ['A', 'B'], components: [{ type: 'body' }] }, 'INVALID_PARAMETER'],
  ])('%j reject the job with %s', (template, code) =>
    expect(() => withComponents(message(template), checked)).toThrow(expect.objectContaining({ code })),
  );
});

it.each([
  [{ phone: '919812345678' }, undefined],
  [{ phone: '+919812345678' }, 'INVALID_PHONE'],
  [{ phone: '919812345678', clientRef: '😀'.repeat(128) }, undefined],
  [{ phone: '919812345678', clientRef: 'x'.repeat(129) }, 'TEXT_TOO_LONG'],
  [{ phone: '919812345678', clientRef: '\u0000' }, 'INVALID_VALUE'],
  [{ phone: 'IN.10000000000000000001' }, undefined],
  [{ phone: 'in.1' }, 'INVALID_PHONE'],
  [{ phone: '12', fault: { code: 'FILE_INVALID', message: 'a date' } }, 'FILE_INVALID'],
])('faultOfRow maps %j to the error %s', (row, code) =>
  expect(faultOfRow({ position: 0, ...row }, false)?.code).toBe(code),
);

it.each([
  [{ phone: 'IN.10000000000000000001' }, 'PHONE_REQUIRED'],
  [{ phone: '919812345678' }, undefined],
])('faultOfRow maps %j to the error %s if phones are required', (row, code) =>
  expect(faultOfRow({ position: 0, ...row }, true)?.code).toBe(code),
);
