import { type ManagedTemplateRecord, type TemplateVariable, templateVariables } from '@switchboard/contracts';
import { safeCell } from '../pagination/safe-cell';

const TEXT_FORMAT = '@';
const COLUMN_WIDTH = 22;
/** Characters that the XML of a sheet does not allow. */
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F]/g;

/** Template of a sample spreadsheet, with samples for its variables. */
type SampleTemplate = Pick<ManagedTemplateRecord, 'name' | 'language' | 'category' | 'components'>;

/**
 * Creates a sample .xlsx file. Columns contain text, so that programs do not reformat phone numbers. The sample row has
 * no phone number, so that nothing is sent by mistake. A second sheet contains instructions.
 */
export async function sampleSheet(template: SampleTemplate | undefined): Promise<Buffer> {
  // Loads the library on demand because it needs much memory.
  const { default: ExcelJS } = await import('exceljs');
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Recipients', { views: [{ state: 'frozen', ySplit: 1 }] });
  const variables = template ? templateVariables(template) : [];
  // A cell cannot contain a product list.
  const columns = variables.filter(({ kind }) => kind !== 'payload' && kind !== 'product_list');
  const headers = ['phone', ...columns.map(({ column }) => column), 'clientRef'];
  sheet.columns = headers.map((header) => ({ header, width: COLUMN_WIDTH, style: { numFmt: TEXT_FORMAT } }));
  sheet.getRow(1).font = { bold: true };
  // Samples are not escaped, since programs do not run formulas in text cells.
  if (columns.length > 0) sheet.addRow(['', ...columns.map(({ sample }) => sample.replace(CONTROL_CHARACTERS, ''))]);
  const notes = book.addWorksheet('How to fill in');
  for (const [name, text] of notesOn(template, variables)) notes.addRow([safeCell(name), safeCell(text)]);
  return Buffer.from(await book.xlsx.writeBuffer());
}

function notesOn(template: SampleTemplate | undefined, variables: readonly TemplateVariable[]): [string, string][] {
  return [
    ...(template ? ([['Template', `${template.name} (${template.language})`]] as [string, string][]) : []),
    ...(template ? ([['Body', bodyOf(template.components)]] as [string, string][]) : []),
    ['phone', 'With the country code, for example 919812345678; or the user id of a person with a hidden number'],
    ...variables.map((variable): [string, string] => [variable.column, noteOn(variable)]),
    ['clientRef', 'Your own reference, if you like; it comes back in records and events'],
  ];
}

function noteOn(variable: TemplateVariable): string {
  const { card } = variable;
  return card === undefined ? noteOnPart(variable) : `Card ${card + 1}: ${noteOnPart(variable)}`;
}

function noteOnPart({ place, index = 0, kind, parameterName, key }: TemplateVariable): string {
  const button = `button ${index + 1}`;
  switch (kind) {
    case 'image':
    case 'video':
    case 'gif':
    case 'document':
      return `The https address of the header's ${kind}; the platform fetches the file from there`;
    case 'filename':
      return 'The name of the document that the person sees; you can leave it empty';
    case 'latitude':
    case 'longitude':
      return `The ${kind} of the header's location, in degrees, with a decimal point`;
    case 'name':
    case 'address':
      return `The ${kind} of the header's location; you can leave it empty`;
    case 'product':
      return "The id of the header's product in its catalogue";
    case 'catalog':
      return "The id of that product's catalogue";
    case 'offer_end':
      return 'When the offer ends: a time with its zone such as 2030-01-31T18:00:00Z, or milliseconds since 1970';
    case 'coupon_code':
      return `The code that ${button} copies`;
    case 'payload':
      return `You can add this column: what your webhook gets when the person taps ${button}`;
    case 'thumbnail':
      return 'The id of the product whose picture the message shows; you can leave it empty';
    case 'flow_token':
      return `The token of the flow that ${button} opens; it comes back with the answers; you can leave it empty`;
    case 'product_list':
      return `A sheet cannot give the products that ${button} opens: send this template by the API, with components`;
    case 'other':
      return 'This service does not send headers of this kind';
    case 'text':
      return place === 'button'
        ? `The end of the address that ${button} opens`
        : `Fills the variable ${parameterName ?? key.split(' ').at(-1)} of the ${place}`;
  }
}

function bodyOf(components: readonly object[]): string {
  const body = (components as { type?: unknown; text?: unknown }[]).find(
    ({ type }) => String(type).toUpperCase() === 'BODY',
  );
  return typeof body?.text === 'string' ? body.text : '';
}
