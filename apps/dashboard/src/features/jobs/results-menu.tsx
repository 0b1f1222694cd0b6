import { Download } from 'lucide-react';
import { useExportRefusal } from '../../api/session';
import { Menu } from '../../components/overlays';
import type { Outcome } from './shared/job-outcomes';

const FILES = [
  ['xlsx', 'Excel', 'To read: row numbers, values of each row, outcomes and times in your time zone'],
  ['csv', 'CSV', 'For programs: the fields of the API, with message IDs, error codes and times in UTC'],
] as const;

/** Returns the address of a file with the results of a job. */
const fileOf = (jobId: string, kind: 'csv' | 'xlsx', status?: Outcome): string =>
  `/console/v1/jobs/${jobId}/results.${kind}${status === undefined ? '' : `?status=${status}`}`;

interface MenuProps {
  jobId: string;
  label: string;
  /** Outcome of the rows in the file; all rows if absent. */
  status?: Outcome;
}

/** Menu with the files of a job's results. */
export function ResultsMenu({ jobId, label, status }: MenuProps) {
  const refusal = useExportRefusal();
  return (
    <Menu
      label={label}
      icon={Download}
      isLabelled
      refusal={refusal}
      items={FILES.map(([kind, text, hint]) => ({
        text,
        hint,
        onChoose: () => download(fileOf(jobId, kind, status)),
      }))}
    />
  );
}

/** Downloads a file, as a click on a link would. */
function download(href: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = '';
  link.click();
}
