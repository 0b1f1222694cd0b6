import { useState } from 'react';
import { api, must } from '../../api/client';
import { Button, TextField } from '../../components/controls';
import { Refused } from '../../components/display';
import { Cancel, Dialog } from '../../components/overlays';
import { useChange } from '../../hooks/queries';
import { JOB_NAME_MAX } from './job-name';
import type { Job } from './shared/job-outcomes';

export function RenameJob({ job: { jobId, name }, onClose }: { job: Job; onClose(): void }) {
  const [typed, setTyped] = useState(name ?? '');
  const rename = useChange(
    () => must(api.PATCH('/console/v1/jobs/{jobId}', { params: { path: { jobId } }, body: { name: typed.trim() } })),
    { done: 'Job renamed.', quiet: true },
  );
  return (
    <Dialog
      title="Rename job"
      about="The name is shown in lists, usage and the audit log. Contacts do not see it."
      onClose={onClose}
      onSubmit={() => !rename.isPending && rename.mutate(undefined, { onSuccess: onClose })}
      foot={
        <>
          <span className="push" />
          <Cancel isBusy={rename.isPending} onClose={onClose} />
          <Button type="submit" look="primary" isBusy={rename.isPending}>
            Rename
          </Button>
        </>
      }
    >
      <Refused error={rename.error} fields={['name']} />
      <TextField
        label="Name"
        isOptional
        hint="Without a name, the job is called by its template."
        value={typed}
        onChange={setTyped}
        fault={rename.error?.faultOf('name')}
        input={{ autoFocus: true, maxLength: JOB_NAME_MAX }}
      />
    </Dialog>
  );
}
