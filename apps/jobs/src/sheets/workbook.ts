import type { Archive } from './archive';
import { unreadable } from './sheet-refusal';
import { type Attributes, listenTo, type XmlListener } from './xml-parts';

export interface WorkbookParts {
  sheet: string;
  sharedTexts?: string;
  styles?: string;
  /** True if days are counted from 1904. */
  is1904: boolean;
}

const CONTENT_TYPES = '[Content_Types].xml';
const ROOT = '_rels/.rels';
/** Maximum number of references in one part: more than any workbook has. */
const REFERENCES_MAX = 10_000;

/**
 * Finds the first visible sheet and the parts to which its cells refer.
 * @throws SheetRefusal for an archive that is not a workbook
 */
export async function findParts(archive: Archive): Promise<WorkbookParts> {
  if (!archive.has(CONTENT_TYPES) || !archive.has(ROOT)) throw unreadable(refusalOfOther(archive));
  await refuseMacros(archive);
  const workbook = (await relationsOf(archive, '')).find(({ type }) => type === 'officeDocument')?.target;
  if (workbook === undefined || !archive.has(workbook)) throw unreadable('it has no workbook');
  const relations = await relationsOf(archive, workbook);
  const partOf = (wanted: string): string | undefined =>
    relations.find(({ type, target }) => type === wanted && archive.has(target))?.target;
  const sheets = new Map(relations.filter(({ type }) => type === 'worksheet').map(({ id, target }) => [id, target]));
  const { list, is1904 } = await sheetsOf(archive, workbook);
  const visible = list.find(({ isVisible, relation }) => isVisible && sheets.has(relation));
  const sheet = visible && sheets.get(visible.relation);
  if (sheet === undefined) throw unreadable('it has no visible sheet');
  return { sheet, sharedTexts: partOf('sharedStrings'), styles: partOf('styles'), is1904 };
}

function refusalOfOther(archive: Archive): string {
  if (archive.has('content.xml')) return 'it is an OpenDocument file: save it as .xlsx';
  return 'it is an archive, but no .xlsx file';
}

/**
 * Rejects macros by the declared content types. Spreadsheet programs do not open a workbook that falsely declares
 * macros.
 */
async function refuseMacros(archive: Archive): Promise<void> {
  await listen(archive, CONTENT_TYPES, (_name, { ContentType: type = '' }) => {
    if (/sheet\.binary/i.test(type)) throw unreadable('it is a binary workbook: save it as .xlsx');
    if (/macroEnabled|vbaProject|macrosheet/i.test(type)) throw unreadable('it contains macros: save it as .xlsx');
  });
}

interface Relation {
  id: string;
  /** Last segment of the type's URI, because the prefixes of transitional and strict files differ. */
  type: string;
  target: string;
}

/**
 * Returns the relationships of a part.
 * @param part name of the part; empty for the whole file
 */
async function relationsOf(archive: Archive, part: string): Promise<Relation[]> {
  const slash = part.lastIndexOf('/') + 1;
  const [folder, name] = [part.slice(0, slash), part.slice(slash)];
  const relations: Relation[] = [];
  await listen(
    archive,
    `${folder}_rels/${name}.rels`,
    (element, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) => {
      const path = resolved(folder, target);
      if (element !== 'Relationship' || mode === 'External' || path === undefined) return;
      if (relations.length === REFERENCES_MAX) throw unreadable('it refers to too many parts');
      relations.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target: path });
    },
  );
  return relations;
}

/**
 * Resolves a target, which is relative to the folder of the referring part or starts at the root. Returns undefined if
 * it is not a valid URL.
 */
function resolved(folder: string, target: string): string | undefined {
  try {
    return new URL(target, `part:///${folder}`).pathname.slice(1);
  } catch {
    return undefined;
  }
}

interface Sheets {
  list: { relation: string; isVisible: boolean }[];
  is1904: boolean;
}

const TRUE = new Set(['1', 'true', 'on']);

async function sheetsOf(archive: Archive, workbook: string): Promise<Sheets> {
  const sheets: Sheets = { list: [], is1904: false };
  await listen(archive, workbook, (element, attributes) => {
    if (element === 'workbookPr') sheets.is1904 = TRUE.has(attributes['date1904'] ?? '');
    if (element !== 'sheet') return;
    if (sheets.list.length === REFERENCES_MAX) throw unreadable('it has too many sheets');
    const relation = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? '';
    sheets.list.push({ relation, isVisible: (attributes['state'] ?? 'visible') === 'visible' });
  });
  return sheets;
}

async function listen(
  archive: Archive,
  part: string,
  open: (name: string, attributes: Attributes) => void,
): Promise<void> {
  const nothing = (): void => undefined;
  const listener: XmlListener = { open, close: nothing, text: nothing };
  await listenTo(archive.readOther(part), listener);
}
