// What jobs runs in a thread of its own for each spreadsheet.
import '../apps/jobs/src/sheet-worker';
