import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { api, must, type Schemas } from '../../api/client';
import { useChange, useList } from '../../hooks/queries';
import { useMe, useRefusal } from '../../api/session';
import { Button } from '../../components/controls';
import { Facts, Note, PageHead, Status, Time, wordOf } from '../../components/display';
import { countOf, List } from '../../components/list';
import { Confirm, Menu } from '../../components/overlays';
import { ChangeRole, HandOver, Invite } from './team-dialogs';
import { ROLE_TEXTS } from './role-texts';

type User = Schemas['User'];

export function Page() {
  const refusal = useRefusal('owner');
  return refusal === undefined ? (
    <Team />
  ) : (
    <div className="page narrow">
      <PageHead title="Team" />
      <Note tone="info">{refusal}</Note>
    </div>
  );
}

function Team() {
  const { me } = useMe();
  const [isInviting, setInviting] = useState(false);
  const users = useList(
    ['users'],
    (cursor) => must(api.GET('/console/v1/users', { params: { query: { cursor } } })),
    (page) => page.users,
  );
  const invitations = useList(
    ['invitations'],
    (cursor) => must(api.GET('/console/v1/invitations', { params: { query: { cursor } } })),
    (page) => page.invitations,
  );
  const withdraw = useChange(
    (invitationId: string) =>
      must(api.DELETE('/console/v1/invitations/{invitationId}', { params: { path: { invitationId } } })),
    { done: 'Invitation revoked. Its link no longer works.' },
  );
  return (
    <div className="page narrow">
      <PageHead title="Team" count={countOf(users)}>
        <Button look="primary" size="sm" icon={UserPlus} onClick={() => setInviting(true)}>
          Invite
        </Button>
      </PageHead>
      <List
        label="Users"
        list={users}
        keyOf={({ id }) => id}
        isGone={({ isDisabled }) => isDisabled}
        empty={{ icon: Users, title: 'No users', text: 'No users can sign in to this account.' }}
        columns={[
          {
            head: 'Name',
            cell: ({ name, id }) => (
              <span className="strong">
                {name}
                {id === me.user.id && ' (you)'}
              </span>
            ),
          },
          { head: 'Email', isWide: true, cell: ({ email }) => <span className="dim">{email}</span> },
          { head: 'Role', cell: ({ role }) => wordOf(role) },
          {
            head: 'Second factor',
            hide: 'sm',
            cell: ({ hasSecondFactor }) => (
              <Status tone={hasSecondFactor ? 'success' : 'neutral'}>{hasSecondFactor ? 'On' : 'Off'}</Status>
            ),
          },
          {
            head: 'Last sign-in',
            hide: 'sm',
            cell: ({ lastSignInAt }) => (
              <span className="dim">
                <Time at={lastSignInAt} />
              </span>
            ),
          },
          {
            head: 'Status',
            hide: 'md',
            cell: ({ isDisabled }) => (
              <Status tone={isDisabled ? 'neutral' : 'success'}>{isDisabled ? 'Disabled' : 'Active'}</Status>
            ),
          },
          { head: '', isNumber: true, cell: (user) => <MemberMenu user={user} /> },
        ]}
      />
      <section className="section">
        <div className="section-head">
          <h2>Pending invitations</h2>
          <span className="count">{countOf(invitations)}</span>
        </div>
        <List
          label="Pending invitations"
          list={invitations}
          keyOf={({ id }) => id}
          empty={{
            icon: UserPlus,
            title: 'No pending invitations',
            text: 'An invitation is a link that you share yourself. It is valid for seven days.',
          }}
          columns={[
            { head: 'Email', cell: ({ email }) => <span className="strong">{email}</span> },
            { head: 'Role', cell: ({ role }) => wordOf(role) },
            {
              head: 'Expires',
              cell: ({ expiresAt }) => (
                <span className="dim">
                  <Time at={expiresAt} />
                </span>
              ),
            },
            {
              head: '',
              isNumber: true,
              cell: ({ id, email }) => (
                <Button
                  size="sm"
                  look="ghost"
                  aria-label={`Revoke the invitation of ${email}`}
                  onClick={() => withdraw.mutate(id)}
                >
                  {' '}
                  Revoke{' '}
                </Button>
              ),
            },
          ]}
        />
      </section>
      <section className="section stack-2" aria-labelledby="roles">
        <h2 id="roles">Roles</h2>
        <Facts rows={ROLE_TEXTS.map(([role, text]) => [wordOf(role), text] as const)} />
      </section>
      {isInviting && <Invite onClose={() => setInviting(false)} />}
    </div>
  );
}

function MemberMenu({ user }: { user: User }) {
  const { me } = useMe();
  const [asked, ask] = useState<'role' | 'password' | 'factor'>();
  const close = (): void => ask(undefined);
  const path = { userId: user.id };
  const change = useChange(
    (body: Schemas['UserChange']) => must(api.PATCH('/console/v1/users/{userId}', { params: { path }, body })),
    { done: 'User updated. The change applies from their next request.' },
  );
  const resetFactor = useChange(
    () => must(api.POST('/console/v1/users/{userId}/second-factor-reset', { params: { path } })),
    { done: 'Second factor removed.', quiet: true },
  );
  const resetPassword = useChange(() =>
    must(api.POST('/console/v1/users/{userId}/password-reset', { params: { path } })),
  );
  const own = user.id === me.user.id ? 'Only another owner can change your user' : undefined;
  const offer = (): void => {
    resetPassword.mutate(undefined);
    ask('password');
  };
  return (
    <>
      <Menu
        label={`Actions for ${user.name}`}
        items={[
          { text: 'Change role', refusal: own, onChoose: () => ask('role') },
          { text: 'Create password reset link', refusal: own, onChoose: offer },
          {
            text: 'Remove second factor',
            refusal: own ?? (user.hasSecondFactor ? undefined : 'The user has no second factor'),
            onChoose: () => ask('factor'),
          },
          {
            text: user.isDisabled ? 'Enable' : 'Disable',
            refusal: own,
            isDanger: !user.isDisabled,
            onChoose: () => change.mutate({ isDisabled: !user.isDisabled }),
          },
        ]}
      />
      {asked === 'role' && (
        <ChangeRole
          user={user}
          isBusy={change.isPending}
          onChange={(role) => change.mutate({ role }, { onSettled: close })}
          onClose={close}
        />
      )}
      {asked === 'factor' && (
        <Confirm
          title={`Remove the second factor of ${user.name}?`}
          about="Verify the person’s identity first. All their sessions end. They sign in with only their password until they set up a new second factor."
          action="Remove second factor"
          isBusy={resetFactor.isPending}
          error={resetFactor.error}
          onConfirm={() => resetFactor.mutate(undefined, { onSuccess: close })}
          onClose={close}
        />
      )}
      {asked === 'password' && resetPassword.data && (
        <HandOver
          title={`Password reset link for ${user.name}`}
          about="The link lets this person set a new password. It works once, within 24 hours. Share it yourself: Switchboard sends no email."
          link={`${location.origin}/dashboard/password#${resetPassword.data.token}`}
          onClose={close}
        />
      )}
    </>
  );
}
