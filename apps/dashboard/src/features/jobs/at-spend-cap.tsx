import { useState } from 'react';
import { api, must } from '../../api/client';
import { Button, Form, TextField } from '../../components/controls';
import { Note, Refused } from '../../components/display';
import { useChange } from '../../hooks/queries';
import type { Job } from './shared/job-outcomes';

/** Notice on a job paused by a spend cap, with a form to raise the cap of the job. */
export function AtSpendCap({ job: { jobId, maxSpend }, refusal }: { job: Job; refusal: string | undefined }) {
  const [amount, setAmount] = useState('');
  const resume = useChange(
    (currency: string) =>
      must(
        api.POST('/console/v1/jobs/{jobId}/resume', {
          params: { path: { jobId } },
          body: { maxSpend: { amount: amount.trim(), currency } },
        }),
      ),
    { done: 'Spend cap raised. The job continues.', quiet: true },
  );
  return (
    <Note tone="warning">
      {maxSpend
        ? `The next message would exceed the spend cap of this job (${maxSpend.amount} ${maxSpend.currency}) or that of the account. No recipients are lost. Raise the cap of this job, or resume it once the account has budget again.`
        : 'The next message would exceed the spend cap of the account. No recipients are lost. Resume the job after the account cap is raised, or next month.'}
      {maxSpend && (
        <Form className="fields" onSubmit={() => resume.mutate(maxSpend.currency)}>
          <Refused error={resume.error} fields={['maxSpend.amount']} />
          <TextField
            label={`New spend cap of this job (${maxSpend.currency})`}
            value={amount}
            onChange={setAmount}
            fault={resume.error?.faultOf('maxSpend.amount')}
            input={{ inputMode: 'decimal', disabled: refusal !== undefined, required: true }}
          />
          <div className="row wrap">
            <Button type="submit" size="sm" refusal={refusal} isBusy={resume.isPending}>
              Raise cap and resume
            </Button>
          </div>
        </Form>
      )}
    </Note>
  );
}
