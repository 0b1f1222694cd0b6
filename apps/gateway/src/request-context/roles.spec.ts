import { isAllowed, ROLES } from './roles';

describe('roles', () => {
  it('allow what they and the lesser ones may', () => {
    const allowed = ROLES.map((role) => ROLES.filter((needed) => isAllowed(role, needed)));
    expect(allowed).toEqual([['viewer'], ['viewer', 'admin'], ['viewer', 'admin', 'owner']]);
  });
});
