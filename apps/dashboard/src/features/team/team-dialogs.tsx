import { useState } from 'react';
import { api, must, type Role, type Schemas } from '../../api/client';
import { Button, Select, TextField } from '../../components/controls';
import { useChange } from '../../hooks/queries';
import { CopyLine, Refused } from '../../components/display';
import { Cancel, Dialog } from '../../components/overlays';

type User = Schemas['User'];
const ROLES = [
  ['viewer', 'Viewer: read-only access'],
  ['agent', 'Agent: also answers and assigns conversations, and opts contacts out'],
  ['admin', 'Admin: manages templates, webhooks and jobs'],
  ['owner', 'Owner: also manages keys, team and audit log'],
] as const;

export function ChangeRole({
  user,
  isBusy,
  onChange,
  onClose,
}: {
  user: User;
  isBusy: boolean;
  onChange(role: Role): void;
  onClose(): void;
}) {
  const [role, setRole] = useState<Role>(user.role);
  return (
    <Dialog
      title={`Role of ${user.name}`}
      onClose={onClose}
      foot={
        <>
          <span className="push" />
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" isBusy={isBusy} onClick={() => onChange(role)}>
            Save
          </Button>
        </>
      }
    >
      <Select label="Role" value={role} onChange={setRole} options={ROLES} />
    </Dialog>
  );
}

export function Invite({ onClose }: { onClose(): void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('admin');
  const invite = useChange(() => must(api.POST('/console/v1/invitations', { body: { email, role } })), { quiet: true });
  if (invite.data)
    return (
      <HandOver
        title={`Invitation link for ${invite.data.invitation.email}`}
        about="The link adds this person to the account. It works once, within seven days. Share it yourself: Switchboard sends no email."
        link={`${location.origin}/dashboard/invitation#${invite.data.token}`}
        onClose={onClose}
      />
    );
  return (
    <Dialog
      title="Invite user"
      isClosable={!invite.isPending}
      onClose={onClose}
      onSubmit={() => invite.mutate(undefined)}
      foot={
        <>
          <span className="push" />
          <Cancel isBusy={invite.isPending} onClose={onClose} />
          <Button type="submit" look="primary" isBusy={invite.isPending}>
            Create link
          </Button>
        </>
      }
    >
      <Refused error={invite.error} fields={['email']} />
      <TextField
        label="Email"
        hint="An email address can belong to only one account."
        value={email}
        onChange={setEmail}
        fault={invite.error?.faultOf('email')}
        input={{ type: 'email', autoFocus: true }}
      />
      <Select label="Role" value={role} onChange={setRole} options={ROLES} />
    </Dialog>
  );
}

/** Shows a link once, for the owner to pass on. */
export function HandOver({
  title,
  about,
  link,
  onClose,
}: {
  title: string;
  about: string;
  link: string;
  onClose(): void;
}) {
  return (
    <Dialog
      title={title}
      about={about}
      isWide
      isClosable={false}
      onClose={onClose}
      foot={
        <Button look="primary" className="push" onClick={onClose}>
          Done
        </Button>
      }
    >
      <CopyLine label="Link" text={link} />
      <p className="hint">The link is shown only once.</p>
    </Dialog>
  );
}
