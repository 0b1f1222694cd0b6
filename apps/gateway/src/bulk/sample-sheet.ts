import { variablesOf } from '@switchboard/contracts';
import { safeCell } from '../lists/safe-cell';

const TEXT_FORMAT = '@';
const COLUMN_WIDTH = 22;

/** What a sheet is made for. */
export interface SampleTemplate {
  name: string;
  language: string;
  body: string;
  variables: string[];
}

/** The columns for the variables of a template's body; numbered ones in the order of their numbers. */
export function variableColumns(body: string): string[] {
  const names = variablesOf(body);
  return names.every((name) => /^[0-9]+$/.test(name)) ? names.sort((one, other) => Number(one) - Number(other)) : names;
}

/**
 * An .xlsx file to fill in: its columns, as texts so that programs leave phone numbers as they are, and a second sheet
 * that says how.
 */
export async function sampleSheet(template: SampleTemplate | undefined): Promise<Buffer> {
  // Only who downloads a spreadsheet pays for the library's memory.
  const { default: ExcelJS } = await import('exceljs');
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Recipients', { views: [{ state: 'frozen', ySplit: 1 }] });
  const columns = ['phone', ...(template?.variables ?? []).map((name) => `{{${name}}}`), 'clientRef'];
  sheet.columns = columns.map((header) => ({ header, width: COLUMN_WIDTH, style: { numFmt: TEXT_FORMAT } }));
  sheet.getRow(1).font = { bold: true };
  const notes = book.addWorksheet('How to fill in');
  for (const [name, text] of notesOn(template)) notes.addRow([safeCell(name), safeCell(text)]);
  return Buffer.from(await book.xlsx.writeBuffer());
}

function notesOn(template: SampleTemplate | undefined): [string, string][] {
  return [
    ...(template
      ? ([
          ['Template', `${template.name} (${template.language})`],
          ['Body', template.body],
        ] as [string, string][])
      : []),
    ['phone', 'With the country code, for example 919812345678'],
    ...(template?.variables ?? []).map((name): [string, string] => [
      `{{${name}}}`,
      `Fills the variable ${name} of the body`,
    ]),
    ['clientRef', 'Your own reference, if you like; it comes back in records and events'],
  ];
}
