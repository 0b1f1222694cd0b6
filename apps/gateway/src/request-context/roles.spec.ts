import { isAllowed, ROLES } from './roles';

describe('roles', () => {
  it('include the permissions of lower roles', () => {
    const allowed = ROLES.map((role) => ROLES.filter((needed) => isAllowed(role, needed)));
    expect(allowed).toEqual([
      ['viewer'],
      ['viewer', 'agent'],
      ['viewer', 'agent', 'admin'],
      ['viewer', 'agent', 'admin', 'owner'],
    ]);
  });
});
