import { FileSpreadsheet } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button, Field } from '../../components/controls';
import { counted, sizeText } from '../../lib/formats';

/** Some systems report .csv files with the Excel media type. */
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet,application/vnd.ms-excel,text/csv';
const MOST_BYTES = 10 * 1_048_576;

/** Returns the error of a file, judged by name and size. */
function faultOf({ name, size }: File): string | undefined {
  if (!/\.(xlsx|csv)$/i.test(name))
    return 'The file must be .xlsx or .csv. Save the spreadsheet in one of these formats and choose it again.';
  return size > MOST_BYTES ? 'The file must be at most 10 MB.' : undefined;
}

export function SheetDrop({
  file,
  limit,
  refusal,
  onFile,
}: {
  file: File | undefined;
  limit: number;
  refusal: string | undefined;
  onFile(file: File | undefined): void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [fault, setFault] = useState<string>();
  const take = (given: File | undefined): void => {
    if (!given || refusal) return;
    const found = faultOf(given);
    setFault(found);
    onFile(found === undefined ? given : undefined);
  };
  return (
    <Field label="Spreadsheet" hint={`.xlsx or .csv, at most 10 MB and ${counted(limit, 'row')}`} fault={fault}>
      {(props) => (
        <div
          className={isOver ? 'dropzone is-over' : 'dropzone'}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault();
            setOver(false);
            take(event.dataTransfer.files[0]);
          }}
        >
          <FileSpreadsheet className="i i-20" aria-hidden />
          {file ? (
            <span>
              <span className="strong wrap-any">{file.name}</span>{' '}
              <span className="dimmer tn">{sizeText(file.size)}</span>
            </span>
          ) : (
            <span>Drop a spreadsheet here</span>
          )}
          <input
            {...props}
            ref={input}
            className="sr"
            type="file"
            tabIndex={-1}
            accept={`.xlsx,.csv,${TYPES}`}
            onChange={({ target }) => {
              take(target.files?.[0]);
              target.value = '';
            }}
          />
          <Button size="sm" refusal={refusal} onClick={() => input.current?.click()}>
            {file ? 'Choose another file' : 'Choose file'}
          </Button>
        </div>
      )}
    </Field>
  );
}
