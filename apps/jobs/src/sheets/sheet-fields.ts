import { integerField } from '@switchboard/platform';

/** The settings of reading spreadsheets: what a file may cost before it is refused. */
export const sheetFields = {
  SHEETS_AT_A_TIME: integerField(
    { min: 1, max: 32, fallback: 2 },
    'How many spreadsheets a process reads at a time, each of another account and in a thread of its own; others wait',
  ),
  SHEETS_WAITING_PER_ACCOUNT: integerField(
    { min: 1, max: 1_000, fallback: 4 },
    'How many spreadsheets of an account may wait in a process while another one of it is read; more are refused with 429',
  ),
  SHEET_TIMEOUT_SECONDS: integerField(
    { min: 1, max: 120, fallback: 20 },
    'Processor time that reading a spreadsheet may take, in seconds, without the time to store its rows',
  ),
  SHEET_HEAP_MB: integerField(
    { min: 16, max: 1_024, fallback: 64 },
    'Memory that reading one spreadsheet may take, in MB, besides its shared texts',
  ),
  SHEET_SHARED_TEXT_MB: integerField(
    { min: 1, max: 512, fallback: 48 },
    'Memory for the shared texts of one spreadsheet, in MB',
  ),
  SHEET_INFLATED_MB: integerField(
    { min: 1, max: 4_096, fallback: 128 },
    'How large a spreadsheet may be when it is unpacked, in MB',
  ),
  SHEET_RATIO: integerField(
    { min: 10, max: 1_000, fallback: 100 },
    'How many times smaller than unpacked a part of a spreadsheet of more than 1 MB may be',
  ),
  SHEET_PARTS: integerField(
    { min: 10, max: 65_535, fallback: 2_000 },
    'How many parts the archive of a spreadsheet may have',
  ),
  SHEET_COLUMNS: integerField(
    { min: 2, max: 16_384, fallback: 256 },
    'How many columns with a header a spreadsheet may have',
  ),
  SHEET_CELL_CHARACTERS: integerField(
    { min: 1_024, max: 262_144, fallback: 32_767 },
    'How long a cell of a spreadsheet may be, in characters',
  ),
} as const;

export type SheetConfig = { readonly [Name in keyof typeof sheetFields]: number };
