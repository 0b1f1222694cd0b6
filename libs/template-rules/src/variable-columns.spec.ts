import { keyOfColumn } from './variable-columns';
import { templateVariables } from './template-variables';

it.each([
  ['1', '1'],
  ['{{ 12 }}', '12'],
  ['{{First_Name}}', 'first_name'],
  [' Header  {{1}} ', 'header 1'],
  ['header {{shop}}', 'header shop'],
  ['header 1', 'header 1'],
  ['HEADER LINK', 'header link'],
  ['Header Media', 'header link'],
  ['header {{media}}', 'header media'],
  ['header longitude', 'header longitude'],
  ['Button 02', 'button 2'],
  ['header product', 'header product'],
  ['Offer  End', 'offer end'],
  ['Card 01  {{ 1 }}', 'card 1 1'],
  ['card 2 header link', 'card 2 header link'],
  ['card 2 header media', 'card 2 header link'],
  ['card 10 button 1', 'card 10 button 1'],
])('maps the column %j to the variable %s', (column, key) => expect(keyOfColumn(column)).toBe(key));

it.each([
  'phone',
  'first_name',
  '1234',
  'header',
  'header colour',
  'button',
  'button 0',
  'card',
  'card 1',
  'card 0 {{1}}',
  'card 1 colour',
  'card 1 card 1 {{1}}',
  'offer',
  'button one',
  '{{}}',
  '{{a b}}',
])('ignores the unrelated column %j', (column) => expect(keyOfColumn(column)).toBeUndefined());

it('maps every column of a template to its variable', () => {
  const variables = ['TEXT', 'IMAGE', 'DOCUMENT', 'LOCATION', 'PRODUCT'].flatMap((format) =>
    templateVariables({
      category: 'UTILITY',
      components: [
        { type: 'HEADER', format, text: '{{shop}}' },
        { type: 'BODY', text: '{{1}} {{first_name}}' },
        { type: 'BUTTONS', buttons: [{ type: 'COPY_CODE' }] },
        { type: 'LIMITED_TIME_OFFER', limited_time_offer: { has_expiration: true } },
        { type: 'CAROUSEL', cards: [{ components: [{ type: 'BODY', text: '{{1}} {{price}}' }] }] },
      ],
    }),
  );
  expect(variables.map(({ column }) => keyOfColumn(column))).toEqual(variables.map(({ key }) => key));
});
