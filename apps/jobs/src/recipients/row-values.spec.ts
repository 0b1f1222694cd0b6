import type { TemplateComponent } from '@switchboard/contracts';
import { rowValues } from './row-values';

describe('values of a row', () => {
  it('have the names of spreadsheet columns', () => {
    const components = [
      { type: 'header', parameters: [{ type: 'image', image: { link: 'https://example.com/a.png' } }] },
      {
        type: 'body',
        parameters: [
          { type: 'text', text: 'Asha' },
          { type: 'text', parameter_name: 'day', text: 'Monday' },
        ],
      },
      { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'A-17' }] },
      {
        type: 'carousel',
        cards: [{ card_index: 0, components: [{ type: 'body', parameters: [{ type: 'text', text: 'Tea' }] }] }],
      },
    ] as unknown as TemplateComponent[];
    expect(rowValues(components)).toEqual({
      'header link': 'https://example.com/a.png',
      '{{1}}': 'Asha',
      '{{day}}': 'Monday',
      'button 2': 'A-17',
      'card 1 {{1}}': 'Tea',
    });
    expect(rowValues(null)).toEqual({});
  });

  it('are truncated', () => {
    const parameters = Array.from({ length: 20 }, () => ({ type: 'text' as const, text: 'é'.repeat(300) }));
    const values = Object.values(rowValues([{ type: 'body', parameters }] as TemplateComponent[]));
    expect(values.map(({ length }) => length)).toEqual(Array.from({ length: 12 }, () => 200));
  });
});
