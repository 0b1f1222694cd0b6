import { useState } from 'react';
import { api, must } from '../../api/client';
import { useMe, useRefusal } from '../../api/session';
import { Form, Select } from '../../components/controls';
import { Refused } from '../../components/display';
import { useChange } from '../../hooks/queries';
import { browserTimeZone, showTimesIn, timeZones } from '../../lib/formats';
import { SaveButton } from './settings-save';

/** Time zone of the account's dashboard. */
export function TimeZone() {
  const { me, setMe } = useMe();
  const refusal = useRefusal('admin');
  const ofBrowser = browserTimeZone();
  const stored = me.account.timeZone;
  const [timeZone, setTimeZone] = useState(stored ?? ofBrowser);
  const change = useChange(() => must(api.PATCH('/console/v1/account', { body: { timeZone } })), {
    done: 'Saved. Applies to all users of the account.',
    quiet: true,
  });
  return (
    <Form
      className="fields"
      onSubmit={() =>
        change.mutate(undefined, {
          onSuccess: (saved) => {
            showTimesIn(saved.timeZone);
            setMe({ ...me, account: { ...me.account, timeZone: saved.timeZone } });
          },
        })
      }
    >
      <Refused error={change.error} fields={[]} />
      <Select
        label="Time zone"
        value={timeZone}
        onChange={setTimeZone}
        options={timeZones([timeZone, ofBrowser]).map((name) => [name, name.replaceAll('_', ' ')] as const)}
        hint={
          stored === null
            ? `Not set: each user sees the time zone of the browser. Yours is ${ofBrowser}.`
            : 'Statistics per day, usage and prices per month are in UTC.'
        }
      />
      <SaveButton refusal={refusal} isBusy={change.isPending} text="Save time zone" />
    </Form>
  );
}
