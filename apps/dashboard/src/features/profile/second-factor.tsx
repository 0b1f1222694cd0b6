import { useState } from 'react';
import { api, must } from '../../api/client';
import { useChange, useRead } from '../../hooks/queries';
import { Button, TextField } from '../../components/controls';
import { CopyLine, Facts, Failure, Refused, Skeleton, Status, Time } from '../../components/display';
import { Cancel, Dialog } from '../../components/overlays';

export function SecondFactor() {
  const [asked, ask] = useState<'enrol' | 'codes' | 'disable'>();
  const read = useRead(['second-factor'], () => must(api.GET('/console/v1/me/second-factor')));
  const state = read.data?.secondFactor;
  if (!state)
    return read.error ? <Failure error={read.error} onRetry={() => void read.refetch()} /> : <Skeleton lines={2} />;
  const close = (): void => ask(undefined);
  return (
    <div className="fields">
      {state.isEnabled ? (
        <>
          <Facts
            rows={[
              [
                'Status',
                <Status key="state" tone="success">
                  On
                </Status>,
              ],
              ['Since', <Time key="since" at={state.enabledAt} />],
              ['Recovery codes', `${state.recoveryCodesLeft} remaining`],
            ]}
          />
          <div className="row">
            <Button size="sm" onClick={() => ask('codes')}>
              Renew recovery codes
            </Button>
            <Button size="sm" look="danger-quiet" onClick={() => ask('disable')}>
              {' '}
              Turn off{' '}
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

/** Enrolment steps: password, QR code, code from the app, recovery codes. */
function Enrol({ onClose }: { onClose(): void }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const begin = useChange(() => must(api.POST('/console/v1/me/second-factor', { body: { password } })), {
    quiet: true,
  });
  const confirm = useChange(() => must(api.POST('/console/v1/me/second-factor/confirm', { body: { code } })), {
    quiet: true,
  });
  if (confirm.data) return <Codes codes={confirm.data.recoveryCodes} onClose={onClose} />;
  const enrolment = begin.data;
  const isBusy = begin.isPending || confirm.isPending;
  return (
    <Dialog
      title="Set up second factor"
      about={
        enrolment
          ? 'Scan the QR code with an authenticator app, then enter the code from the app.'
          : 'Confirm your password to continue.'
      }
      isClosable={!isBusy}
      onClose={onClose}
      onSubmit={() => (enrolment ? confirm.mutate(undefined) : begin.mutate(undefined))}
      foot={
        <>
          <span className="push" />
          <Cancel isBusy={isBusy} onClose={onClose} />
          <Button type="submit" look="primary" isBusy={isBusy}>
            {enrolment ? 'Confirm' : 'Continue'}
          </Button>
        </>
      }
    >
      <Refused error={enrolment ? confirm.error : begin.error} fields={[]} />
      {enrolment ? (
        <>
          <div className="qr">
            <img alt="QR code for the authenticator app" src={pictureOf(enrolment.qrCode)} />
          </div>
          <CopyLine label="Or enter this secret in the app" text={enrolment.secret} />
          <TextField
            label="Code"
            value={code}
            onChange={setCode}
            input={{ autoComplete: 'one-time-code', inputMode: 'numeric', autoFocus: true }}
          />
        </>
      ) : (
        <TextField
          label="Password"
          value={password}
          onChange={setPassword}
          input={{ type: 'password', autoComplete: 'current-password', autoFocus: true }}
        />
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
  const renew = useChange(() => must(api.POST('/console/v1/me/second-factor/recovery-codes', { body })), {
    quiet: true,
  });
  const disable = useChange(() => must(api.POST('/console/v1/me/second-factor/disable', { body })), {
    done: 'Second factor turned off.',
    quiet: true,
  });
  const isBusy = renew.isPending || disable.isPending;
  if (renew.data) return <Codes codes={renew.data.recoveryCodes} onClose={onClose} />;
  return (
    <Dialog
      title={kind === 'codes' ? 'Renew recovery codes' : 'Turn off second factor'}
      about={
        kind === 'codes' ? 'Your current recovery codes stop working.' : 'You will sign in with only your password.'
      }
      isClosable={!isBusy}
      onClose={onClose}
      onSubmit={() => (kind === 'codes' ? renew.mutate(undefined) : disable.mutate(undefined, { onSuccess: onClose }))}
      foot={
        <>
          <span className="push" />
          <Cancel isBusy={isBusy} onClose={onClose} />
          <Button type="submit" look={kind === 'codes' ? 'primary' : 'danger'} isBusy={isBusy}>
            {kind === 'codes' ? 'Renew codes' : 'Turn off'}
          </Button>
        </>
      }
    >
      <Refused error={renew.error ?? disable.error} fields={[]} />
      <TextField
        label="Password"
        value={password}
        onChange={setPassword}
        input={{ type: 'password', autoComplete: 'current-password' }}
      />
      <TextField
        label="Code"
        hint="From the app, or a recovery code"
        value={code}
        onChange={setCode}
        input={{ autoComplete: 'one-time-code' }}
      />
    </Dialog>
  );
}

function Codes({ codes, onClose }: { codes: string[]; onClose(): void }) {
  return (
    <Dialog
      title="Save your recovery codes"
      about="Each code works once if you cannot use the app. The codes are shown only once."
      isClosable={false}
      onClose={onClose}
      foot={
        <Button look="primary" className="push" onClick={onClose}>
          I have stored the codes
        </Button>
      }
    >
      <ul className="codes mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyLine label="All codes" text={codes.join(' ')} />
    </Dialog>
  );
}
