import { type FormEvent, useState } from 'react';
import { ApiError, api, type Me, must } from '../../api/client';
import { signedIn } from '../../api/session';
import { Button, focusFault, TextField } from '../../components/controls';
import { Note } from '../../components/display';
import { Mark } from '../../components/mark';
import { PasswordField } from '../../components/password-field';
import { useModal } from '../../components/overlays';
import { counted } from '../../lib/formats';

interface Door {
  onSignedIn(me: Me): void;
}

/** Asks for email and password, then for the second-factor code if the user has one. */
function useSignIn({ onSignedIn }: Door, knownEmail = '') {
  const [email, setEmail] = useState(knownEmail);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const [failure, setFailure] = useState<ApiError>();
  const [isBusy, setBusy] = useState(false);
  const [isTried, setTried] = useState(false);
  const faults = needsCode
    ? { code: code.trim() === '' ? 'Enter the code' : undefined }
    : {
        email: email.trim() === '' ? 'Enter your email' : undefined,
        password: password === '' ? 'Enter your password' : undefined,
      };
  const faultOf = (field: 'email' | 'password' | 'code'): string | undefined =>
    isTried ? (faults as Partial<Record<typeof field, string>>)[field] : undefined;
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    setFailure(undefined);
    const isIncomplete = Object.values(faults).some(Boolean);
    setTried(isIncomplete);
    if (isIncomplete) {
      // Focus the first empty field once it is marked.
      requestAnimationFrame(() => focusFault(form));
      return;
    }
    setBusy(true);
    try {
      const answer = needsCode
        ? await must(api.POST('/console/v1/session/second-factor', { body: { code } }))
        : await must(api.POST('/console/v1/session', { body: { email, password } }));
      if ('secondFactor' in answer) setNeedsCode(true);
      else onSignedIn(answer);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure(error);
      // The session that waits for the second factor has expired.
      if (needsCode && error.code === 'UNAUTHORIZED') setNeedsCode(false);
    } finally {
      setBusy(false);
    }
  };
  const fields = (
    <>
      {failure && (
        <Note tone="bad">
          {textOf(failure)}
          {failure.code === 'SIGN_IN_FAILED' && !needsCode && (
            <p>After five failed attempts, sign-in is locked for 15 minutes.</p>
          )}
        </Note>
      )}
      {needsCode ? (
        <TextField
          label="Code"
          hint="From your authenticator app, or a recovery code"
          value={code}
          onChange={setCode}
          fault={faultOf('code')}
          input={{ className: 'lg', autoComplete: 'one-time-code', autoFocus: true, name: 'code', required: true }}
        />
      ) : (
        <>
          <TextField
            label="Email"
            value={email}
            onChange={setEmail}
            fault={faultOf('email')}
            input={{
              className: 'lg',
              type: 'email',
              autoComplete: 'username',
              name: 'email',
              required: true,
              autoFocus: knownEmail === '',
              readOnly: knownEmail !== '',
            }}
          />
          <PasswordField
            label="Password"
            value={password}
            onChange={setPassword}
            fault={faultOf('password')}
            input={{
              className: 'lg',
              autoComplete: 'current-password',
              name: 'password',
              required: true,
              autoFocus: knownEmail !== '',
            }}
          />
        </>
      )}
      <Button type="submit" look="primary" size="lg" className="block" isBusy={isBusy}>
        {needsCode ? 'Confirm' : 'Sign in'}
      </Button>
      {!needsCode && (
        <p className="hint">
          Forgot your password? An owner of your account can create a reset link on the Team page. Lost your second
          factor and all recovery codes? An owner can remove the second factor.
        </p>
      )}
    </>
  );
  return { submit, fields };
}

function textOf({ code, message, more }: ApiError): string {
  if (code === 'SIGN_IN_FAILED') return 'Email, password or code is incorrect.';
  const minutes = Math.ceil((more.retryAfterSeconds ?? 60) / 60);
  return code === 'SIGN_IN_LOCKED' ? `Too many attempts. Try again in ${counted(minutes, 'minute')}.` : message;
}

export function SignInPage(door: Door) {
  const { submit, fields } = useSignIn(door);
  return (
    <div className="door">
      <main className="door-form">
        <span className="row strong">
          <Mark /> Switchboard
        </span>
        <form onSubmit={(event) => void submit(event)} noValidate>
          <div className="stack-1">
            <h1>Sign in</h1>
            <p className="dim">
              To <span className="strong">{location.host}</span>
            </p>
          </div>
          {fields}
        </form>
        <p className="tiny dimmer row wrap">
          <a className="link" href="/docs">
            API reference
          </a>
        </p>
      </main>
      <DoorSide />
    </div>
  );
}

/** Sample of a conversation next to the sign-in form. */
export function DoorSide() {
  return (
    <aside className="door-side" aria-label="A conversation with a customer">
      <div className="stack-1">
        <p className="door-claim">Your customers on WhatsApp, your team in one place.</p>
        <p className="dim">Answer conversations, send campaigns and connect your systems.</p>
      </div>
      <div className="thread-in" aria-hidden>
        <div className="bubble in">
          Hello, when does my parcel arrive?
          <span className="meta">10:40</span>
        </div>
        <div className="bubble out">
          Good morning Asha, it is on its way and arrives today before six.
          <span className="meta">10:42 · Read</span>
        </div>
        <div className="bubble in">
          Thank you!
          <span className="meta">10:43</span>
        </div>
      </div>
    </aside>
  );
}

/** Sign-in dialog over the page after the session has ended. Form input stays. */
export function SignInDialog({ email, ...door }: Door & { email: string }) {
  const { submit, fields } = useSignIn(door, email);
  const modal = useModal(() => undefined, { isClosable: false });
  return (
    <dialog {...modal} className="dialog" aria-labelledby="sign-in-again">
      <form onSubmit={(event) => void submit(event)} noValidate>
        <div className="dialog-head">
          <h2 id="sign-in-again">Your session has ended</h2>
          <p>Sign in to continue. Your input is still here.</p>
        </div>
        <div className="dialog-body">{fields}</div>
        <div className="dialog-foot">
          <Button
            className="push"
            onClick={() => {
              signedIn.forget();
              location.reload();
            }}
          >
            Use another account
          </Button>
        </div>
      </form>
    </dialog>
  );
}
