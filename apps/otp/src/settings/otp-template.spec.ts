import type { TemplateRecord } from '@switchboard/contracts';
import { fillOtpTemplate } from './otp-template';

const code = { code: 'a1b2c3', minutes: 5 };
const text = (value: string, name?: string) => ({ type: 'text', ...(name && { parameter_name: name }), text: value });
const templateOf = (components: object[], more: Partial<TemplateRecord> = {}): TemplateRecord => ({
  id: '1',
  name: 'codes',
  status: 'APPROVED',
  category: 'UTILITY',
  language: 'en_US',
  components,
  ...more,
});
const body = (variables: string) => ({ type: 'BODY', text: `Code ${variables}.` });

it('fills in the code, then the validity in minutes', () => {
  expect(fillOtpTemplate(templateOf([body('{{1}}')]), code).components).toEqual([
    { type: 'body', parameters: [text('a1b2c3')] },
  ]);
  expect(fillOtpTemplate(templateOf([body('{{1}} for {{2}}')]), code).components).toEqual([
    { type: 'body', parameters: [text('a1b2c3'), text('5')] },
  ]);
  expect(fillOtpTemplate(templateOf([body('{{code}}, {{minutes}}, {{code}}')]), code).components).toEqual([
    { type: 'body', parameters: [text('a1b2c3', 'code'), text('5', 'minutes')] },
  ]);
});

it('fills the code into the variable of each button', () => {
  const buttons = [
    { type: 'QUICK_REPLY' },
    { type: 'URL', url: 'https://example.com' },
    { type: 'URL', url: 'https://example.com/{{1}}' },
    { type: 'COPY_CODE' },
    { type: 'OTP' },
  ];
  expect(fillOtpTemplate(templateOf([body('{{1}}'), { type: 'BUTTONS', buttons }]), code).components?.slice(1)).toEqual(
    [
      { type: 'button', sub_type: 'url', index: '2', parameters: [text('a1b2c3')] },
      {
        type: 'button',
        sub_type: 'copy_code',
        index: '3',
        parameters: [{ type: 'coupon_code', coupon_code: 'a1b2c3' }],
      },
      { type: 'button', sub_type: 'url', index: '4', parameters: [text('a1b2c3')] },
    ],
  );
});

it('omits optional values, such as a flow token', () =>
  expect(
    fillOtpTemplate(templateOf([body('{{1}}'), { type: 'BUTTONS', buttons: [{ type: 'FLOW' }] }]), code).components,
  ).toEqual([{ type: 'body', parameters: [text('a1b2c3')] }]));

it.each([
  ['three variables', templateOf([body('{{1}} {{2}} {{3}}')]), 'TEMPLATE_PARAMS_MISMATCH'],
  ['no variable', templateOf([body('')]), 'TEMPLATE_PARAMS_MISMATCH'],
  [
    'a variable in its header',
    templateOf([{ type: 'HEADER', format: 'TEXT', text: '{{1}}' }, body('{{1}}')]),
    'TEMPLATE_PARAMS_MISMATCH',
  ],
  ['an image header', templateOf([{ type: 'HEADER', format: 'IMAGE' }, body('{{1}}')]), 'TEMPLATE_PARAMS_MISMATCH'],
  [
    'a card with a text variable',
    templateOf([body('{{1}}'), { type: 'CAROUSEL', cards: [{ components: [body('{{1}}')] }] }]),
    'TEMPLATE_PARAMS_MISMATCH',
  ],
  ['a marketing category', templateOf([body('{{1}}')], { category: 'MARKETING' }), 'TEMPLATE_PARAMS_MISMATCH'],
  ['a state other than approved', templateOf([body('{{1}}')], { status: 'FLAGGED' }), 'TEMPLATE_NOT_APPROVED'],
])('rejects a template with %s', (_what, template, refusal) => {
  expect(() => fillOtpTemplate(template, code)).toThrow(expect.objectContaining({ code: refusal }));
});

it('reports a missing template', () =>
  expect(() => fillOtpTemplate(null, code)).toThrow(expect.objectContaining({ code: 'TEMPLATE_NOT_FOUND' })));
