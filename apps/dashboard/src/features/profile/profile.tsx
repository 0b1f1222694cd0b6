import { LogOut, MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import { api, must } from '../../api/client';
import { useChange, useList } from '../../hooks/queries';
import { useMe } from '../../api/session';
import { Button, Form, TextField } from '../../components/controls';
import { PageHead, Refused, Time } from '../../components/display';
import { PasswordField } from '../../components/password-field';
import { countOf, List } from '../../components/list';
import { useSignOut } from '../../hooks/use-sign-out';
import { counted } from '../../lib/formats';
import { Alerts } from './alerts';
import { browserText } from './browser-text';
import { SecondFactor } from './second-factor';

export function Page() {
  const { me } = useMe();
  const signOut = useSignOut();
  return (
    <div className="page narrow">
      <PageHead title="Profile" count={me.user.email}>
        <Button size="sm" icon={LogOut} onClick={signOut}>
          Sign out
        </Button>
      </PageHead>
      <section className="fieldset">
        <h2>Name</h2>
        <Name />
      </section>
      <section className="fieldset">
        <h2>Password</h2>
        <Password />
      </section>
      <section className="fieldset">
        <h2>
          Second factor<small>Code from an authenticator app in addition to the password</small>
        </h2>
        <SecondFactor />
      </section>
      <section className="fieldset" id="alerts">
        <h2>
          New messages<small>In this browser only</small>
        </h2>
        <Alerts />
      </section>
      <section className="section">
        <Sessions />
      </section>
    </div>
  );
}

function Name() {
  const { me, updateMe } = useMe();
  const [name, setName] = useState(me.user.name);
  const change = useChange(() => must(api.PATCH('/console/v1/me', { body: { name } })), {
    done: 'Saved.',
    quiet: true,
  });
  const save = (): void =>
    change.mutate(undefined, { onSuccess: () => updateMe((now) => ({ ...now, user: { ...now.user, name } })) });
  return (
    <Form className="fields" onSubmit={save}>
      <Refused error={change.error} fields={['name']} />
      <TextField
        label="Your name"
        value={name}
        onChange={setName}
        fault={change.error?.faultOf('name')}
        input={{ maxLength: 100 }}
      />
      <div>
        <Button type="submit" size="sm" isBusy={change.isPending}>
          Save name
        </Button>
      </div>
    </Form>
  );
}

function Password() {
  const { updateMe } = useMe();
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const change = useChange(() => must(api.PUT('/console/v1/me/password', { body: { currentPassword, newPassword } })), {
    done: 'Password changed. All other sessions have been signed out.',
    quiet: true,
  });
  const isWrong = change.error?.code === 'SIGN_IN_FAILED';
  const save = (): void =>
    change.mutate(undefined, {
      onSuccess: (found) => {
        updateMe(() => found);
        setCurrent('');
        setNew('');
      },
    });
  return (
    <Form className="fields" onSubmit={save}>
      {!isWrong && <Refused error={change.error} fields={['newPassword', 'password']} />}
      <PasswordField
        label="Current password"
        value={currentPassword}
        onChange={setCurrent}
        fault={isWrong ? 'The current password is wrong' : undefined}
        input={{ autoComplete: 'current-password' }}
      />
      <PasswordField
        label="New password"
        hint="At least 12 characters, not easy to guess"
        value={newPassword}
        onChange={setNew}
        fault={change.error?.faultOf('newPassword') ?? change.error?.faultOf('password')}
        input={{ autoComplete: 'new-password' }}
      />
      <div>
        <Button type="submit" size="sm" isBusy={change.isPending}>
          Change password
        </Button>
      </div>
    </Form>
  );
}

function Sessions() {
  const sessions = useList(
    ['sessions'],
    (cursor) => must(api.GET('/console/v1/me/sessions', { params: { query: { cursor } } })),
    (page) => page.sessions,
  );
  const end = useChange(
    (sessionId: string) => must(api.DELETE('/console/v1/me/sessions/{sessionId}', { params: { path: { sessionId } } })),
    { done: 'Session ended.' },
  );
  const endOthers = useChange(() => must(api.DELETE('/console/v1/me/sessions')), {
    done: ({ ended }) => `${counted(ended, 'session')} ended.`,
  });
  return (
    <>
      <div className="section-head">
        <h2>Active sessions</h2>
        <span className="count">{countOf(sessions)}</span>
        <Button
          size="sm"
          className="push"
          refusal={sessions.rows.length > 1 ? undefined : 'No other sessions'}
          onClick={() => endOthers.mutate(undefined)}
        >
          Sign out other sessions
        </Button>
      </div>
      <List
        label="Sessions"
        list={sessions}
        keyOf={({ id }) => id}
        empty={{ icon: MonitorSmartphone, title: 'No sessions', text: 'You are not signed in anywhere.' }}
        columns={[
          {
            head: 'Browser',
            isWide: true,
            cell: ({ userAgent, isCurrent }) => (
              <span className="strong" data-tip={userAgent ?? undefined} tabIndex={0}>
                {browserText(userAgent)}
                {isCurrent && ' (current)'}
              </span>
            ),
          },
          {
            head: 'IP address',
            hide: 'sm',
            cell: ({ address }) => <span className="dim tn">{address ?? 'Unknown'}</span>,
          },
          {
            head: 'Last used',
            cell: ({ seenAt }) => (
              <span className="dim">
                <Time at={seenAt} />
              </span>
            ),
          },
          {
            head: 'Signed in',
            hide: 'sm',
            cell: ({ createdAt }) => (
              <span className="dim">
                <Time at={createdAt} />
              </span>
            ),
          },
          {
            head: '',
            isNumber: true,
            cell: ({ id, isCurrent }) =>
              !isCurrent && (
                <Button size="sm" look="ghost" onClick={() => end.mutate(id)}>
                  End
                </Button>
              ),
          },
        ]}
      />
    </>
  );
}
