import { integerField } from '@switchboard/platform';

/** Settings that limit the cost of reading spreadsheets. */
export const sheetFields = {
  SHEETS_AT_A_TIME: integerField(
    { min: 1, max: 32, fallback: 2 },
    'Maximum number of spreadsheets that a process reads at the same time, each in its own thread and from a different account. Others wait',
  ),
  SHEETS_WAITING_PER_ACCOUNT: integerField(
    { min: 1, max: 1_000, fallback: 4 },
    'Maximum number of spreadsheets of an account that wait in a process while another one is read; more return 429',
  ),
  SHEET_TIMEOUT_SECONDS: integerField(
    { min: 1, max: 120, fallback: 20 },
    'Maximum CPU time for reading a spreadsheet, in seconds, without the time to store its rows',
  ),
  SHEET_HEAP_MB: integerField(
    { min: 16, max: 1_024, fallback: 64 },
    'Maximum memory for reading one spreadsheet, in MB, without its shared strings',
  ),
  SHEET_SHARED_TEXT_MB: integerField(
    { min: 1, max: 512, fallback: 48 },
    'Maximum memory for the shared strings of one spreadsheet, in MB',
  ),
  SHEET_INFLATED_MB: integerField(
    { min: 1, max: 4_096, fallback: 128 },
    'Maximum uncompressed size of a spreadsheet, in MB',
  ),
  SHEET_RATIO: integerField(
    { min: 10, max: 1_000, fallback: 100 },
    'Maximum compression ratio of a spreadsheet part that is larger than 1 MB',
  ),
  SHEET_PARTS: integerField(
    { min: 10, max: 65_535, fallback: 2_000 },
    'Maximum number of parts in the archive of a spreadsheet',
  ),
  SHEET_COLUMNS: integerField(
    { min: 2, max: 16_384, fallback: 256 },
    'Maximum number of columns with a header in a spreadsheet',
  ),
  SHEET_CELL_CHARACTERS: integerField(
    { min: 1_024, max: 262_144, fallback: 32_767 },
    'Maximum length of a spreadsheet cell, in characters',
  ),
} as const;

export type SheetConfig = { readonly [Name in keyof typeof sheetFields]: number };
