import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { Schemas } from '../../api/client';
import { Button } from '../../components/controls';
import { countText } from '../../lib/formats';

type SampleRow = NonNullable<Schemas['JobEstimate']['sampleRows']>[number];

/** Returns the texts among the values of a row. */
export function valuesOfRow(row: SampleRow | undefined): Record<string, string> {
  const values = Object.entries(row?.values ?? {});
  return Object.fromEntries(values.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}

interface RowStepsProps {
  /** First accepted rows of the check. */
  rows: readonly SampleRow[];
  /** Index of the shown row in `rows`. */
  at: number;
  onStep(at: number): void;
  /** Number of accepted rows. */
  accepted: number;
}

/** Buttons that step the preview through the first accepted rows of a checked job. */
export function RowSteps({ rows, at, onStep, accepted }: RowStepsProps) {
  const row = rows[at];
  if (!row) return null;
  const unseen = accepted - rows.length;
  return (
    <div className="stack-1" role="group" aria-label="Rows in the preview">
      <div className="row wrap">
        <Button
          size="sm"
          icon={ChevronLeft}
          refusal={at === 0 ? 'This is the first row' : undefined}
          onClick={() => onStep(at - 1)}
        >
          Previous row
        </Button>
        <Button
          size="sm"
          icon={ChevronRight}
          refusal={at === rows.length - 1 ? 'This is the last row of the preview' : undefined}
          onClick={() => onStep(at + 1)}
        >
          Next row
        </Button>
      </div>
      <p className="hint" role="status">
        {`Row ${countText(at + 1)} of ${countText(rows.length)}: `}
        <span className="mono wrap-any">{row.phone}</span>
        {unseen > 0 && `. The preview has only the first rows.`}
      </p>
    </div>
  );
}
