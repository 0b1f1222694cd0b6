import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './controls';
import { countText } from '../lib/formats';
import { Dialog } from './overlays';

const MOST_ROWS = 100_000;

interface ExportDialogProps {
  /** Plural noun for the list's items. */
  things: string;
  total: number;
  isExact: boolean;
  /** Download URL, including the filters of the list. */
  href: string;
  /** Related downloads. */
  more?: ReactNode;
  onClose(): void;
}

/** Shows the size of an export before the download. */
export function ExportDialog({ things, total, isExact, href, more, onClose }: ExportDialogProps) {
  const count = `${isExact ? '' : 'More than '}${countText(total)}`;
  const isMore = total > MOST_ROWS;
  return (
    <Dialog
      title={`Export ${things} as CSV`}
      about={
        total === 1 && isExact
          ? `1 ${things.replace(/s$/, '')} matches the current filters.`
          : `${count} ${things} match the current filters.`
      }
      onClose={onClose}
      foot={
        <>
          <span className="push" />
          <Button onClick={onClose}>Close</Button>
          <a className="btn primary" href={href} download onClick={onClose}>
            <Download className="i" aria-hidden />
            Download
          </a>
        </>
      }
    >
      <p className="small dim">
        {isMore || !isExact
          ? `The file contains at most the newest ${countText(MOST_ROWS)}. Narrow the filters to export the rest. `
          : ''}
        Your browser shows the progress of the download. The file is UTF-8 with a byte-order mark. Text that a
        spreadsheet program could interpret as a formula starts with an apostrophe.
      </p>
      {more && <p className="small">{more}</p>}
    </Dialog>
  );
}

/** Returns the filters as a query string without empty values. */
export function queryOf(filters: Record<string, string | undefined>): string {
  const given = Object.entries(filters).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length > 0 ? `?${new URLSearchParams(given).toString()}` : '';
}
