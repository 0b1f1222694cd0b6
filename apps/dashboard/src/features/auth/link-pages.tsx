import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api, must, type Schemas } from '../../api/client';
import { signedIn } from '../../api/session';
import { Button, Form, TextField } from '../../components/controls';
import { Failure, Note } from '../../components/display';
import { Mark } from '../../components/mark';
import { PasswordField } from '../../components/password-field';
import { DoorSide } from './sign-in';

type Kind = 'invitation' | 'password';

/** Returns the kind of link and its token. The token is in the fragment, which browsers never send to a server. */
export function linkPageOf({ pathname, hash }: Location): { kind: Kind; token: string } | undefined {
  const [, kind] = /^\/dashboard\/(invitation|password)$/.exec(pathname) ?? [];
  return kind ? { kind: kind as Kind, token: hash.slice(1) } : undefined;
}

/** Page of a link from an owner: an invitation or a password reset. */
export function LinkPage({ kind, token }: { kind: Kind; token: string }) {
  return (
    <div className="door">
      <main className="door-form">
        <span className="row strong">
          <Mark /> Switchboard
        </span>
        {kind === 'invitation' ? <Invitation token={token} /> : <NewPassword token={token} />}
        <span />
      </main>
      <DoorSide />
    </div>
  );
}

function Invitation({ token }: { token: string }) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const opened = useQuery<Schemas['OpenedInvitationAnswer'], ApiError>({
    queryKey: ['invitation'],
    queryFn: () => must(api.POST('/console/v1/invitations/open', { body: { token } })),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const { failure, isBusy, run } = useOnce(async () => {
    const { session } = await must(api.POST('/console/v1/invitations/accept', { body: { token, name, password } }));
    signedIn.remember(session.id);
    location.replace('/dashboard');
  });
  if (opened.error)
    return (
      <form>
        <h1>This invitation cannot be opened</h1>
        <Failure
          error={opened.error}
          {...(opened.error.code !== 'NOT_FOUND' && { onRetry: () => void opened.refetch() })}
        />
        <a className="btn lg block" href="/dashboard">
          Sign in
        </a>
      </form>
    );
  if (!opened.data) return <span aria-busy />;
  const { account, email, role } = opened.data.invitation;
  return (
    <Form onSubmit={run}>
      <div className="stack-1">
        <h1>Join {account}</h1>
        <p className="dim">
          As {role}, with <span className="strong">{email}</span>.
        </p>
      </div>
      {failure && !failure.more.details?.length && <Note tone="bad">{failure.message}</Note>}
      <TextField
        label="Your name"
        value={name}
        onChange={setName}
        fault={failure?.faultOf('name')}
        input={{ className: 'lg', autoComplete: 'name' }}
      />
      <NewPasswordField value={password} onChange={setPassword} fault={failure?.faultOf('password')} />
      <Button type="submit" look="primary" size="lg" className="block" isBusy={isBusy}>
        Join
      </Button>
    </Form>
  );
}

function NewPassword({ token }: { token: string }) {
  const [password, setPassword] = useState('');
  const [email, setEmail] = useState<string>();
  const { failure, isBusy, run } = useOnce(async () => {
    const done = await must(
      api.POST('/console/v1/password-resets/complete', { body: { token, newPassword: password } }),
    );
    setEmail(done.email);
  });
  if (email !== undefined)
    return (
      <form>
        <h1>Password changed</h1>
        <p>All sessions of {email} have ended. Sign in with the new password.</p>
        <a className="btn primary lg block" href="/dashboard">
          Sign in
        </a>
      </form>
    );
  return (
    <Form onSubmit={run}>
      <h1>Choose a new password</h1>
      {failure && !failure.more.details?.length && <Note tone="bad">{failure.message}</Note>}
      <NewPasswordField
        value={password}
        onChange={setPassword}
        fault={failure?.faultOf('newPassword') ?? failure?.faultOf('password')}
      />
      <Button type="submit" look="primary" size="lg" className="block" isBusy={isBusy}>
        {' '}
        Change password{' '}
      </Button>
    </Form>
  );
}

function NewPasswordField(field: { value: string; onChange(value: string): void; fault: string | undefined }) {
  return (
    <PasswordField
      {...field}
      label="New password"
      hint="At least 12 characters, not easy to guess"
      input={{ className: 'lg', autoComplete: 'new-password' }}
    />
  );
}

function useOnce(work: () => Promise<void>) {
  const [failure, setFailure] = useState<ApiError>();
  const [isBusy, setBusy] = useState(false);
  const run = (): void => {
    setBusy(true);
    setFailure(undefined);
    work()
      .catch((error: unknown) =>
        setFailure(error instanceof ApiError ? error : new ApiError('INTERNAL', String(error))),
      )
      .finally(() => setBusy(false));
  };
  return { failure, isBusy, run };
}
