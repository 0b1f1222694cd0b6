import { isFileKind, type TemplateVariable } from '@switchboard/template-rules';
import { Download, FileSpreadsheet } from 'lucide-react';
import { Fragment, useRef, useState } from 'react';
import type { Schemas } from '../../api/client';
import { Button, Field } from '../../components/controls';
import { Note, wordOf } from '../../components/display';
import { counted, sizeText } from '../../lib/formats';
import { MediaValue } from '../templates/shared/media-value';
import type { Values } from '../templates/shared/send-values';

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
  recipients,
  refusal,
  onFile,
}: {
  file: File | undefined;
  /** Maximum rows of a spreadsheet. */
  limit: number;
  /** Maximum recipients of a job without a spreadsheet. */
  recipients: number;
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
    <Field
      label="Spreadsheet"
      hint={`.xlsx or .csv, at most 10 MB. Your plan allows ${counted(limit, 'row')} in a spreadsheet, and ${counted(recipients, 'recipient')} in a job from a list or contacts.`}
      fault={fault}
    >
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

type Named = Pick<Schemas['ManagedTemplate'], 'name' | 'language'>;

/** Download of a spreadsheet with the columns of a template. */
export function SampleLink({ template: { name, language } }: { template: Named }) {
  return (
    <a
      className="link"
      href={`/console/v1/jobs/sample.xlsx?${new URLSearchParams({ templateName: name, language }).toString()}`}
      download
    >
      <Download className="i i-14" aria-hidden /> Download sample spreadsheet
    </a>
  );
}

/** Columns that a spreadsheet must have, with a sample to download, and the files that all rows get. */
export function SheetColumns({
  template: { id, name, language },
  variables,
  samples,
  values,
  onValues,
  refusal,
}: {
  template: Pick<Schemas['ManagedTemplate'], 'id' | 'name' | 'language'>;
  variables: readonly TemplateVariable[];
  /** Approved samples by variable. */
  samples: Values;
  values: Values;
  onValues(values: Values): void;
  refusal: string | undefined;
}) {
  const needed = variables.filter((variable) => !isForAllRows(variable, values));
  return (
    <>
      {refusal ? (
        <Note tone="info">{refusal}.</Note>
      ) : (
        <p className="hint">
          Spreadsheet columns:{' '}
          {['phone', ...needed.map(({ column }) => column)].map((column, index) => (
            <Fragment key={column}>
              {index > 0 && ', '}
              <span className="mono">{column}</span>
            </Fragment>
          ))}
          . <SampleLink template={{ name, language }} />
        </p>
      )}
      {variables.map(
        ({ key, column, kind, card }) =>
          isFileKind(kind) && (
            <fieldset key={`${id} ${key}`} className="plain stack-1">
              <legend className="sr">{`File of ${column}`}</legend>
              <MediaValue
                label={`${wordOf(kind)} for all rows${card === undefined ? '' : `, card ${card + 1}`}`}
                kind={kind}
                sample={samples[key]}
                value={values[key] ?? ''}
                onValue={(value) => onValues({ ...values, [key]: value })}
              />
              <p className="hint">
                For a different file in each row, add the column <span className="mono">{column}</span> with links or
                IDs of uploaded files. The column overrides this choice.
              </p>
            </fieldset>
          ),
      )}
    </>
  );
}

/** Returns whether a file is chosen for all rows, so that the spreadsheet needs no column for it. */
const isForAllRows = ({ key, kind }: TemplateVariable, values: Values): boolean =>
  isFileKind(kind) && (values[key] ?? '') !== '';

/** Returns the values for all rows of a spreadsheet: only files, since texts have columns. */
export const valuesForAllRows = (variables: readonly TemplateVariable[], values: Values): Values =>
  Object.fromEntries(
    variables.filter((variable) => isForAllRows(variable, values)).map(({ key }) => [key, values[key] ?? '']),
  );
