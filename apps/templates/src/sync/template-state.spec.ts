import { statusOf } from './template-state';

it.each([
  ['APPROVED', 'APPROVED'],
  ['approved', 'APPROVED'],
  ['REINSTATED', 'APPROVED'],
  ['PENDING', 'PENDING'],
  ['IN_APPEAL', 'PENDING'],
  ['REJECTED', 'REJECTED'],
  ['FLAGGED', 'FLAGGED'],
  ['PAUSED', 'FLAGGED'],
  ['LOCKED', 'FLAGGED'],
  ['DISABLED', 'DISABLED'],
  ['LIMIT_EXCEEDED', 'DISABLED'],
  ['DELETED', 'DISABLED'],
  ['PENDING_DELETION', 'DISABLED'],
  ['ARCHIVED', 'DISABLED'],
])('maps upstream %s to %s', (upstream, ours) => expect(statusOf(upstream)).toBe(ours));

it.each(['', 'SOMETHING_NEW', 'constructor', '__proto__'])('treats an unknown state %j as not sendable', (upstream) =>
  expect(statusOf(upstream)).toBe('FLAGGED'),
);
