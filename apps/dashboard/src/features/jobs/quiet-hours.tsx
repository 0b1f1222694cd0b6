import type { Schemas } from '../../api/client';
import { Check, TextField } from '../../components/controls';
import { Note, Time } from '../../components/display';
import { counted } from '../../lib/formats';
import type { Job } from './shared/job-outcomes';

/** Quiet hours of the form, which keeps the times while the option is off. */
export interface ChosenQuietHours {
  isOn: boolean;
  from: string;
  to: string;
}

export const NO_QUIET_HOURS: ChosenQuietHours = { isOn: false, from: '20:00', to: '08:00' };

/** Returns the field of the request. */
export const sentQuietHours = ({ isOn, from, to }: ChosenQuietHours): { quietHours?: Schemas['QuietHours'] } =>
  isOn ? { quietHours: { from, to } } : {};

interface FieldsProps {
  value: ChosenQuietHours;
  onChange(value: ChosenQuietHours): void;
  /** Error of a field of the request. */
  faultOf(field: string): string | undefined;
}

/** Option to send nothing at night in the recipient's country. */
export function QuietHoursFields({ value, onChange, faultOf }: FieldsProps) {
  return (
    <fieldset className="plain stack-1">
      <legend className="label">Quiet hours</legend>
      <Check
        label="Send nothing at night"
        checked={value.isOn}
        onChange={({ target }) => onChange({ ...value, isOn: target.checked })}
      />
      {value.isOn && (
        <div className="row wrap">
          <TextField
            label="Quiet from"
            value={value.from}
            onChange={(from) => onChange({ ...value, from })}
            input={{ type: 'time', required: true }}
            fault={faultOf('quietHours.from')}
          />
          <TextField
            label="Quiet until"
            value={value.to}
            onChange={(to) => onChange({ ...value, to })}
            input={{ type: 'time', required: true }}
            fault={faultOf('quietHours.to') ?? faultOf('quietHours')}
          />
        </div>
      )}
      <p className="hint">
        The time of the recipient’s country counts. Recipients in quiet hours wait and get the message afterwards.
      </p>
    </fieldset>
  );
}

interface WaitProps {
  job: Pick<Job, 'quietHours' | 'waitingRecipients' | 'waitingUntil'>;
  /** Whether the job or its check is not started yet. */
  isPlanned?: boolean;
}

/** Such as `1,240 recipients wait for the end of quiet hours in their country. The next are sent to 09:30.` */
export function WaitText({ job: { quietHours, waitingRecipients, waitingUntil }, isPlanned = false }: WaitProps) {
  if (!quietHours) return null;
  if (!waitingRecipients) return isPlanned ? 'No recipient would have to wait for the end of quiet hours. ' : null;
  const recipients = counted(waitingRecipients, 'recipient');
  const wait = isPlanned ? 'would wait' : waitingRecipients === 1 ? 'waits' : 'wait';
  return (
    <>
      {`${recipients} ${wait} for the end of quiet hours in their country. `}
      {waitingUntil && (
        <>
          The next are sent to at <Time at={waitingUntil} />.{' '}
        </>
      )}
    </>
  );
}

/** Notice on a running job whose recipients wait. */
export function WaitNote({ job }: { job: Job }) {
  if (job.status !== 'processing' || !job.waitingRecipients) return null;
  return (
    <Note tone="info">
      <WaitText job={job} />
    </Note>
  );
}
