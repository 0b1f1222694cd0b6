import { type Part, zipOf } from './zip';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';

/** Sheet, given by its `<sheetData>`. */
export interface SheetXml {
  name?: string;
  state?: 'hidden' | 'veryHidden';
  rows: string;
}

export interface BookOptions {
  sheets: SheetXml[];
  /** Shared strings, each as the content of `<si>`. Cells of type `s` refer to them. */
  texts?: string[];
  styles?: string;
  workbookType?: string;
  /** Additional parts. They replace parts of the same name. */
  parts?: Part[];
}

/** Returns the parts of a workbook in Excel's layout. */
export function partsOf({ sheets, texts, styles, workbookType = WORKBOOK_TYPE, parts = [] }: BookOptions): Part[] {
  const own: Part[] = [
    { name: '[Content_Types].xml', content: contentTypes(workbookType) },
    { name: '_rels/.rels', content: relations([{ type: `${RELATIONS}/officeDocument`, target: 'xl/workbook.xml' }]) },
    { name: 'xl/workbook.xml', content: workbook(sheets) },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: workbookRelations(sheets.length, texts !== undefined, styles !== undefined),
    },
    ...sheets.map(({ rows }, index) => ({ name: `xl/worksheets/sheet${index + 1}.xml`, content: worksheet(rows) })),
    ...(texts
      ? [
          {
            name: 'xl/sharedStrings.xml',
            content: `${XML}<sst xmlns="${MAIN}" count="${texts.length}">${texts.map((text) => `<si>${text}</si>`).join('')}</sst>`,
          },
        ]
      : []),
    ...(styles === undefined
      ? []
      : [{ name: 'xl/styles.xml', content: `${XML}<styleSheet xmlns="${MAIN}">${styles}</styleSheet>` }]),
  ];
  return [...own.filter(({ name }) => parts.every((part) => part.name !== name)), ...parts];
}

export function bookOf(options: BookOptions): Buffer {
  return zipOf(partsOf(options));
}

export const worksheet = (rows: string): string =>
  `${XML}<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`;

function contentTypes(workbookType: string): string {
  return `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${workbookType}"/></Types>`;
}

export function relations(all: { type: string; target: string; id?: string }[]): string {
  const each = all.map(
    ({ type, target, id }, index) =>
      `<Relationship Id="${id ?? `rId${index + 1}`}" Type="${type}" Target="${target}"/>`,
  );
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${each.join('')}</Relationships>`;
}

function workbook(sheets: readonly SheetXml[]): string {
  const each = sheets.map(({ name, state }, index) => {
    const label = name ?? `Sheet${index + 1}`;
    return `<sheet name="${label}" sheetId="${index + 1}"${state ? ` state="${state}"` : ''} r:id="rId${index + 1}"/>`;
  });
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${each.join('')}</sheets></workbook>`;
}

function workbookRelations(sheets: number, hasTexts: boolean, hasStyles: boolean): string {
  return relations([
    ...Array.from({ length: sheets }, (_unused, index) => ({
      type: `${RELATIONS}/worksheet`,
      target: `worksheets/sheet${index + 1}.xml`,
    })),
    ...(hasTexts ? [{ type: `${RELATIONS}/sharedStrings`, target: '/xl/sharedStrings.xml' }] : []),
    ...(hasStyles ? [{ type: `${RELATIONS}/styles`, target: 'styles.xml' }] : []),
  ]);
}

export const inline = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
export const number = (raw: string, attributes = ''): string => `<c${attributes}><v>${raw}</v></c>`;
/** Returns a row of cells that have no references. */
export const row = (...cells: string[]): string => `<row>${cells.join('')}</row>`;
