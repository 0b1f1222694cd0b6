import { workbooks, zipOf } from '@switchboard/testing';

// The same table as written by different programs: the columns phone, {{1}} and {{2}}, and two contacts with a blank
// row between them.
const { partsOf, relations, XML } = workbooks;
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006';
const STRICT = 'http://purl.oclc.org/ooxml';

const texts = [
  '<t>phone</t>',
  '<t>{{1}}</t>',
  '<t>{{2}}</t>',
  '<t xml:space="preserve"> Asha R </t>',
  '<r><rPr><b/></rPr><t>A-</t></r><r><t>17</t></r>',
  '<t>علي</t><rPh sb="0" eb="1"><t>ali</t></rPh>',
  '<t>A-18</t>',
];

/** Desktop Excel: shared texts, references everywhere, spans, blank styled cells, extensions. */
export function excelBook(): Buffer {
  const rows = `<row r="1" spans="1:3" x14ac:dyDescent="0.25"><c r="A1" s="1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row>
    <row r="2" spans="1:3" x14ac:dyDescent="0.25"><c r="A2" s="2"><v>919812345678</v></c><c r="B2" t="s"><v>3</v></c><c r="C2" t="s"><v>4</v></c></row>
    <row r="3" spans="1:3" x14ac:dyDescent="0.25"><c r="A3" s="2"/><c r="B3" s="2"/></row>
    <row r="4" spans="1:3" x14ac:dyDescent="0.25"><c r="A4" s="2"><v>9.1981234567900003E+11</v></c><c r="B4" t="s"><v>5</v></c><c r="C4" t="s"><v>6</v></c></row>`;
  const sheet = `${XML}<worksheet xmlns="${MAIN}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="x14ac" xmlns:x14ac="http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac"><dimension ref="A1:C4"/><sheetViews><sheetView tabSelected="1" workbookViewId="0"/></sheetViews><sheetFormatPr defaultRowHeight="15" x14ac:dyDescent="0.25"/><cols><col min="1" max="1" width="13" customWidth="1"/></cols><sheetData>${rows}</sheetData><pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/></worksheet>`;
  const styles =
    '<numFmts count="1"><numFmt numFmtId="164" formatCode="[$-409]d\\-mmm\\-yy"/></numFmts><cellStyleXfs count="1"><xf numFmtId="14"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="49"/><xf numFmtId="1"/></cellXfs>';
  return zipOf(
    partsOf({
      sheets: [{ rows: '' }],
      texts,
      styles,
      parts: [
        { name: 'xl/worksheets/sheet1.xml', content: sheet },
        { name: 'docProps/app.xml', content: `${XML}<Properties/>` },
      ],
    }),
  );
}

/**
 * LibreOffice: all attributes written out, formulas with a separate attribute, numbers in full, parts in another order.
 */
export function libreOfficeBook(): Buffer {
  const attributes =
    'customFormat="false" ht="12.8" hidden="false" customHeight="false" outlineLevel="0" collapsed="false"';
  const rows = `<row r="1" ${attributes}><c r="A1" s="0" t="s"><v>0</v></c><c r="B1" s="0" t="s"><v>1</v></c><c r="C1" s="0" t="s"><v>2</v></c></row><row r="2" ${attributes}><c r="A2" s="0" t="n"><v>919812345678</v></c><c r="B2" s="0" t="str"><f aca="false">&quot;Asha&quot;&amp;&quot; R&quot;</f><v>Asha R</v></c><c r="C2" s="0" t="s"><v>4</v></c></row><row r="4" ${attributes}><c r="A4" s="0" t="n"><f aca="false">A2+1</f><v>919812345679</v></c><c r="B4" s="0" t="s"><v>5</v></c><c r="C4" s="0" t="s"><v>6</v></c></row>${Array.from({ length: 500 }, (_unused, index) => `<row r="${1_048_000 + index}" ${attributes}></row>`).join('')}`;
  return zipOf(
    partsOf({
      sheets: [{ rows }],
      texts,
      styles: '<cellXfs count="1"><xf numFmtId="164" applyFont="true"></xf></cellXfs>',
    }).reverse(),
  );
}

/** Google Sheets: exponents without a sign, empty but styled cells, rows in one line. */
export function googleBook(): Buffer {
  const rows = `<row r="1"><c r="A1" s="1" t="s"><v>0</v></c><c r="B1" s="1" t="s"><v>1</v></c><c r="C1" s="1" t="s"><v>2</v></c></row><row r="2"><c r="A2" s="2"><v>9.19812345678E11</v></c><c r="B2" s="1" t="s"><v>3</v></c><c r="C2" s="1" t="s"><v>4</v></c></row><row r="4"><c r="A4" s="2"><v>9.19812345679E11</v></c><c r="B4" s="3" t="str"><f>IFERROR(__xludf.DUMMYFUNCTION("""x"""),"علي")</f><v>علي</v></c><c r="C4" s="1" t="s"><v>6</v></c></row>`;
  return zipOf(
    partsOf({
      sheets: [{ rows, name: 'Form responses 1' }],
      texts,
      styles: '<cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="0"/><xf numFmtId="1"/><xf numFmtId="0"/></cellXfs>',
    }),
  );
}

/** A library: no optional parts, a prefix on every name, inline texts. */
export function bareBook(): Buffer {
  const cells = (...each: string[]): string =>
    `<x:row>${each.map((text) => (/^[0-9]+$/.test(text) ? `<x:c><x:v>${text}</x:v></x:c>` : `<x:c t="inlineStr"><x:is><x:t>${text}</x:t></x:is></x:c>`)).join('')}</x:row>`;
  const rows =
    cells('phone', '{{1}}', '{{2}}') +
    cells('919812345678', 'Asha R', '<![CDATA[A-17]]>') +
    '<x:row/>' +
    cells('919812345679', '&#x639;&#1604;ي', 'A-18');
  const sheet = `<?xml version="1.0" encoding="utf-8"?><x:worksheet xmlns:x="${MAIN}"><x:sheetData>${rows}</x:sheetData></x:worksheet>`;
  return zipOf(partsOf({ sheets: [{ rows: '' }], parts: [{ name: 'xl/worksheets/sheet1.xml', content: sheet }] }));
}

/** The strict dialect: other namespaces and relationship URIs, absolute targets, native dates. */
export function strictBook(): Buffer {
  const type = (name: string): string => `${STRICT}/officeDocument/relationships/${name}`;
  const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const rows = `<row r="1">${text('phone')}${text('{{1}}')}${text('{{2}}')}</row><row r="2"><c><v>919812345678</v></c>${text('Asha R')}${text('A-17')}</row><row r="4"><c><v>919812345679</v></c>${text('علي')}${text('A-18')}</row>`;
  return zipOf(
    partsOf({
      sheets: [],
      parts: [
        { name: '_rels/.rels', content: relations([{ type: type('officeDocument'), target: '/book/Main.xml' }]) },
        {
          name: 'book/Main.xml',
          content: `${XML}<workbook xmlns="${STRICT}/spreadsheetml/main" xmlns:q="${OFFICE}/relationships" conformance="strict"><sheets><sheet name="a" sheetId="9" q:id="x"/></sheets></workbook>`,
        },
        {
          name: 'book/_rels/Main.xml.rels',
          content: relations([{ type: type('worksheet'), target: '../pages/one.xml', id: 'x' }]),
        },
        {
          name: 'pages/one.xml',
          content: `\uFEFF${XML}<worksheet xmlns="${STRICT}/spreadsheetml/main"><sheetData>${rows}</sheetData></worksheet>`,
        },
      ],
    }),
  );
}
