import { LogOut, MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import { api, must } from '../api/client';
import { useChange, useList, useRead } from '../api/hooks';
import { useMe } from '../api/session';
import { Button, Form, TextField } from '../kit/controls';
import { CopyLine, Facts, Note, PageHead, Status, Time } from '../kit/display';
import { List } from '../kit/list';
import { Dialog } from '../kit/overlays';

/** One's own name, password, second factor and sessions. */
export function Page() {
  const { me } = useMe();
  const signOut = (): void => void api.DELETE('/console/v1/session').finally(() => location.assign('/dashboard'));
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
          Second factor<small>A code of an app besides the password</small>
        </h2>
        <SecondFactor />
      </section>
      <section className="section">
        <Sessions />
      </section>
    </div>
  );
}

function Name() {
  const { me, setMe } = useMe();
  const [name, setName] = useState(me.user.name);
  const change = useChange(() => must(api.PATCH('/console/v1/me', { body: { name } })), { done: 'Saved.', quiet: true });
  const save = (): void =>
    change.mutate(undefined, { onSuccess: () => setMe({ ...me, user: { ...me.user, name } }) });
  return (
    <Form className="fields" onSubmit={save}>
      <TextField label="Your name" value={name} onChange={setName} fault={change.error?.faultOf('name')} input={{ maxLength: 100 }} />
      <div>
        <Button type="submit" size="sm" isBusy={change.isPending}>
          Save name
        </Button>
      </div>
    </Form>
  );
}

function Password() {
  const { setMe } = useMe();
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const change = useChange(() => must(api.PUT('/console/v1/me/password', { body: { currentPassword, newPassword } })), {
    done: 'The password is changed. All your other sessions have ended.',
    quiet: true,
  });
  const save = (): void =>
    change.mutate(undefined, {
      onSuccess: (found) => {
        setMe(found);
        setCurrent('');
        setNew('');
      },
    });
  return (
    <Form className="fields" onSubmit={save}>
      <TextField label="Present password" value={currentPassword} onChange={setCurrent} input={{ type: 'password', autoComplete: 'current-password' }} />
      <TextField
        label="New password"
        hint="At least 12 characters that are not easy to guess"
        value={newPassword}
        onChange={setNew}
        fault={change.error?.faultOf('newPassword') ?? change.error?.faultOf('password')}
        input={{ type: 'password', autoComplete: 'new-password' }}
      />
      <div>
        <Button type="submit" size="sm" isBusy={change.isPending}>
          Change password
        </Button>
      </div>
    </Form>
  );
}

function SecondFactor() {
  const [asked, ask] = useState<'enrol' | 'codes' | 'disable'>();
  const read = useRead(['second-factor'], () => must(api.GET('/console/v1/me/second-factor')));
  const state = read.data?.secondFactor;
  if (!state) return <span aria-busy />;
  const close = (): void => ask(undefined);
  return (
    <div className="fields">
      {state.isEnabled ? (
        <>
          <Facts
            rows={[
              ['State', <Status key="state" tone="success">On</Status>],
              ['Since', <Time key="since" at={state.enabledAt} />],
              ['Recovery codes', `${state.recoveryCodesLeft} left`],
            ]}
          />
          <div className="row">
            <Button size="sm" onClick={() => ask('codes')}>
              New recovery codes
            </Button>
            <Button size="sm" look="danger-quiet" onClick={() => ask('disable')}>
              Switch off
            </Button>
          </div>
        </>
      ) : (
        <>
          <Status tone="neutral">Off</Status>
          <div>
            <Button size="sm" onClick={() => ask('enrol')}>
              Set up
            </Button>
          </div>
        </>
      )}
      {asked === 'enrol' && <Enrol onClose={close} />}
      {asked === 'codes' && <Prove kind="codes" onClose={close} />}
      {asked === 'disable' && <Prove kind="disable" onClose={close} />}
    </div>
  );
}

/** The password, then the QR code, then a code of the app, then the recovery codes. */
function Enrol({ onClose }: { onClose(): void }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const begin = useChange(() => must(api.POST('/console/v1/me/second-factor', { body: { password } })));
  const confirm = useChange(() => must(api.POST('/console/v1/me/second-factor/confirm', { body: { code } })));
  if (confirm.data) return <Codes codes={confirm.data.recoveryCodes} onClose={onClose} />;
  const enrolment = begin.data;
  return (
    <Dialog
      title="Set up the second factor"
      about={enrolment ? 'Scan the picture with an authenticator app, then type the code that it shows.' : 'First show that it is you.'}
      onClose={onClose}
      onSubmit={() => (enrolment ? confirm.mutate(undefined) : begin.mutate(undefined))}
      foot={
        <>
          <span className="push" />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={begin.isPending || confirm.isPending}>
            {enrolment ? 'Confirm' : 'Go on'}
          </Button>
        </>
      }
    >
      {enrolment ? (
        <>
          <div className="qr">
            <img alt="QR code of the secret" src={pictureOf(enrolment.qrCode)} />
          </div>
          <CopyLine label="Or type this secret" text={enrolment.secret} />
          <TextField label="Code" value={code} onChange={setCode} input={{ autoComplete: 'one-time-code', inputMode: 'numeric', autoFocus: true }} />
        </>
      ) : (
        <TextField label="Password" value={password} onChange={setPassword} input={{ type: 'password', autoComplete: 'current-password', autoFocus: true }} />
      )}
    </Dialog>
  );
}

const pictureOf = (qrCode: string): string =>
  qrCode.startsWith('data:') ? qrCode : `data:image/svg+xml,${encodeURIComponent(qrCode)}`;

function Prove({ kind, onClose }: { kind: 'codes' | 'disable'; onClose(): void }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const body = { password, code };
  const renew = useChange(() => must(api.POST('/console/v1/me/second-factor/recovery-codes', { body })));
  const disable = useChange(() => must(api.POST('/console/v1/me/second-factor/disable', { body })), {
    done: 'The second factor is off.',
  });
  if (renew.data) return <Codes codes={renew.data.recoveryCodes} onClose={onClose} />;
  return (
    <Dialog
      title={kind === 'codes' ? 'New recovery codes' : 'Switch the second factor off'}
      about={kind === 'codes' ? 'The earlier codes end.' : 'Then the password alone signs you in.'}
      onClose={onClose}
      onSubmit={() => (kind === 'codes' ? renew.mutate(undefined) : disable.mutate(undefined, { onSuccess: onClose }))}
      foot={
        <>
          <span className="push" />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look={kind === 'codes' ? 'primary' : 'danger'} isBusy={renew.isPending || disable.isPending}>
            {kind === 'codes' ? 'Make new codes' : 'Switch off'}
          </Button>
        </>
      }
    >
      <TextField label="Password" value={password} onChange={setPassword} input={{ type: 'password', autoComplete: 'current-password' }} />
      <TextField label="Code" hint="Of the app, or a recovery code" value={code} onChange={setCode} input={{ autoComplete: 'one-time-code' }} />
    </Dialog>
  );
}

function Codes({ codes, onClose }: { codes: string[]; onClose(): void }) {
  return (
    <Dialog
      title="Keep these recovery codes"
      about="Each signs you in once when you do not have the app. They are shown this once."
      isClosable={false}
      onClose={onClose}
      foot={
        <Button look="primary" className="push" onClick={onClose}>
          I have stored them
        </Button>
      }
    >
      <ul className="codes mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyLine label="All" text={codes.join(' ')} />
    </Dialog>
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
    { done: 'The session has ended.' },
  );
  const endOthers = useChange(() => must(api.DELETE('/console/v1/me/sessions')), {
    done: ({ ended }) => `${ended} ${ended === 1 ? 'session has' : 'sessions have'} ended.`,
  });
  return (
    <>
      <div className="section-head">
        <h2>Where you are signed in</h2>
        <Button size="sm" className="push" refusal={sessions.rows.length > 1 ? undefined : 'There is no other session'} onClick={() => endOthers.mutate(undefined)}>
          Sign out everywhere else
        </Button>
      </div>
      <List
        label="Sessions"
        list={sessions}
        keyOf={({ id }) => id}
        empty={{ icon: MonitorSmartphone, title: 'No sessions', text: 'You are signed in nowhere.' }}
        columns={[
          { head: 'Address', cell: ({ address, isCurrent }) => <span className="strong tn">{address ?? 'unknown'}{isCurrent && ' (this one)'}</span> },
          { head: 'Browser', hide: 'sm', cell: ({ userAgent }) => <span className="dim" title={userAgent ?? ''}>{userAgent ?? 'unknown'}</span> },
          { head: 'Last used', cell: ({ seenAt }) => <span className="dim"><Time at={seenAt} /></span> },
          { head: 'Signed in', hide: 'sm', cell: ({ createdAt }) => <span className="dim"><Time at={createdAt} /></span> },
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
