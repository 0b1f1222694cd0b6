import { workbooks } from '@switchboard/testing';
import { readSheet } from './read-sheet';
import type { SheetLimits } from './sheet-limits';

const { bookOf, inline, number, row, worksheet } = workbooks;
const LIMITS: SheetLimits = {
  inflatedBytes: 4_194_304,
  entries: 50,
  ratio: 100,
  rows: 100,
  columns: 20,
  cellCharacters: 100,
  sharedTextBytes: 1_048_576,
};
const phone = row(inline('phone'));
const person = row(number('919812345678'));

describe('spreadsheet warnings', () => {
  const warningsOf = async (rows: string, more: { styles?: string; before?: string } = {}) => {
    const content = worksheet(rows).replace('<sheetData>', `${more.before ?? ''}<sheetData>`);
    const parts = [{ name: 'xl/worksheets/sheet1.xml', content }];
    const file = bookOf({ sheets: [{ rows: '' }], styles: more.styles, parts });
    const warnings: unknown[] = [];
    for await (const piece of readSheet(file, LIMITS)) if ('warnings' in piece) warnings.push(...piece.warnings);
    return warnings;
  };
  const ofFile = (message: string) => [{ field: 'customerExcel', message }];
  const hidden = (attributes: string) => person.replace('<row>', `<row ${attributes}>`);

  it.each([
    ['hidden by a filter', phone + hidden('hidden="1"').repeat(3), ofFile('3 hidden rows are included')],
    ['hidden', phone + person + hidden('hidden="true"'), ofFile('1 hidden row is included')],
    ['without a height', phone + hidden('ht="0" customHeight="1"'), ofFile('1 hidden row is included')],
    ['hidden and blank', phone + person + '<row hidden="1"/>', []],
    ['shown', phone + hidden('hidden="0" ht="15"') + hidden('hidden="false"'), []],
  ])('count rows that are %s', async (_what, rows, warnings) => expect(await warningsOf(rows)).toEqual(warnings));

  it('count rows hidden by default unless they have a height', async () => {
    const before = '<sheetFormatPr defaultRowHeight="15" zeroHeight="1"/>';
    expect(await warningsOf(phone + person + hidden('ht="15"'), { before })).toEqual(
      ofFile('1 hidden row is included'),
    );
  });

  it('name the hidden columns that are read', async () => {
    const before = '<cols><col min="1" max="1" width="9"/><col min="2" max="3" hidden="1"/></cols>';
    const rows = row(inline('phone'), inline('{{1}}'), inline('note')) + person;
    expect(await warningsOf(rows, { before })).toEqual(ofFile('1 hidden column is included: {{1}}'));
    const three = '<cols><col min="2" max="4" hidden="1"/></cols>';
    const wide = row(inline('phone'), inline('{{1}}'), inline('{{2}}'), inline('note')) + person;
    expect(await warningsOf(wide, { before: three })).toEqual(ofFile('2 hidden columns are included: {{1}}, {{2}}'));
  });

  it('name each column whose number format is not applied', async () => {
    const styles =
      '<numFmts count="1"><numFmt numFmtId="164" formatCode="[$€-407] #,##0.00"/></numFmts><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="3"/></cellXfs>';
    const rows =
      row(inline('phone'), inline('{{1}}'), inline('{{2}}'), inline('clientRef'), inline('note')) +
      row(
        number('1', ' s="2"'),
        number('1234.5', ' s="1"'),
        number('42', ' s="2"'),
        number('9', ' s="1"'),
        number('5000', ' s="2"'),
      ) +
      row(number('1'), number('7', ' s="1"'), number('43', ' s="2"'));
    const message = (title: string, text: string) =>
      `column ${title} has a number format that is not applied: its numbers are sent as stored, for example ${text}`;
    expect(await warningsOf(rows, { styles })).toEqual([
      { field: '{{1}}', message: message('{{1}}', '1234.5') },
      { field: 'clientRef', message: message('clientRef', '9') },
    ]);
  });

  it('are limited to 10', async () => {
    const titles = Array.from({ length: 15 }, (_unused, index) => inline(`{{${index + 1}}}`));
    const styles = '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="4"/></cellXfs>';
    const rows = row(inline('phone'), ...titles) + row(number('1'), ...titles.map(() => number('1', ' s="1"')));
    expect(await warningsOf(rows, { styles })).toHaveLength(10);
  });
});
