// Program of the worker thread in which the jobs service parses each spreadsheet.
import '../apps/jobs/src/sheet-worker';
