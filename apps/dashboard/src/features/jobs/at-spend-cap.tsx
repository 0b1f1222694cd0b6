import { useState } from 'react';
import { api, must } from '../../api/client';
import { Button, Form, TextField } from '../../components/controls';
import { Note, Refused } from '../../components/display';
import { useChange } from '../../hooks/queries';
import type { Job } from './shared/job-outcomes';

/** Notice on a job that a spend cap has paused. A cap of its own can be raised here. */
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
        ? `The next message would pass the spend cap of this job (${maxSpend.amount} ${maxSpend.currency}) or that of the account. No recipient is lost. Raise the cap of this job, or resume it once the account has room again.`
        : 'The next message would pass the spend cap of the account. No recipient is lost. Resume the job once the cap of the account was raised, or in the next month.'}
      {maxSpend && (
        <Form className="fields" onSubmit={() => resume.mutate(maxSpend.currency)}>
          <Refused error={resume.error} fields={[]} />
          <TextField
            label={`New spend cap of this job (${maxSpend.currency})`}
            value={amount}
            onChange={setAmount}
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
