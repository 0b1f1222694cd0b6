import { useState } from 'react';
import { api, must } from '../../api/client';
import { useMe, useRefusal } from '../../api/session';
import { Form, Select } from '../../components/controls';
import { Refused } from '../../components/display';
import { useChange } from '../../hooks/queries';
import { browserTimeZone, timeZones, zoneText } from '../../lib/formats';
import { SaveButton } from './settings-save';

/** Time zone of the account's dashboard. */
export function TimeZone() {
  const { me, updateMe } = useMe();
  const refusal = useRefusal('admin');
  const ofBrowser = browserTimeZone();
  const stored = me.account.timeZone ?? '';
  const [chosen, setChosen] = useState<string>();
  const timeZone = chosen ?? stored;
  const change = useChange(
    () => must(api.PATCH('/console/v1/account', { body: timeZone ? { timeZone } : { browserTimeZone: true } })),
    { done: 'Saved. Applies to all users of the account.', quiet: true },
  );
  const zones = timeZones([ofBrowser, ...(stored ? [stored] : [])]);
  return (
    <Form
      className="fields"
      onSubmit={() =>
        change.mutate(undefined, {
          onSuccess: (saved) => {
            setChosen(undefined);
            updateMe((now) => ({ ...now, account: { ...now.account, timeZone: saved.timeZone } }));
          },
        })
      }
    >
      <Refused error={change.error} fields={[]} />
      <Select
        label="Time zone"
        value={timeZone}
        onChange={setChosen}
        isDisabled={refusal !== undefined}
        options={[['', 'Each user’s browser'], ...zones.map((name) => [name, zoneText(name)] as const)]}
        hint={
          timeZone === ''
            ? `Your browser’s time zone is ${zoneText(ofBrowser)}.`
            : 'Statistics per day and months of usage are in UTC.'
        }
      />
      <SaveButton refusal={refusal} isBusy={change.isPending} text="Save time zone" />
    </Form>
  );
}
