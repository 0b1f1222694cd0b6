import {
  AppError,
  type CheckNumberReply,
  type ConnectionCheck,
  type ConnectionCheckName,
  type NumberProfile,
  type NumberStep,
  PrepareNumberCommand,
  prepareNumberV1,
} from '@switchboard/contracts';
import { inTransit } from '@switchboard/platform';
import { AccountsService } from '../accounts/accounts.service';
import { AuditedChanges, isRefusal } from '../audit-log/audited-changes';
import { toAppError } from '../http/framework-errors';
import { connectionsOf } from './number-check-command';
import type { Operator } from '../commands/operator';
import { addNumber } from './number-add-command';
import { Unfinished } from '../commands/unfinished';

export interface NumberToConnect {
  account: string;
  wabaId: string;
  phoneNumber: string;
  accessToken: string;
  pin?: string;
  profile?: NumberProfile;
}

/**
 * Outcome of a step. `unchanged`: nothing to do. `unknown`: the platform does not report the state or did not respond.
 */
type Outcome = 'ok' | 'done' | 'unchanged' | 'missing' | 'unknown' | 'failed' | 'not reached';

interface ConnectStep {
  step: string;
  outcome: Outcome;
  detail: string;
  remedy: string | null;
}

interface Connection {
  operator: Operator;
  accountId: string;
  given: NumberToConnect;
  seen: CheckNumberReply;
}

const REPEAT = 'Nobody knows whether it was done: repeat the command, which looks first.';
const LOOKED_AT_FIRST = ['token', 'permissions', 'business', 'number'] as const;
const LOOKED_AT_LAST = ['fields', 'address', 'name', 'standing'] as const;
const ALL_STEPS = [...LOOKED_AT_FIRST, 'subscribe', 'register', 'add', 'profile', ...LOOKED_AT_LAST];

/**
 * Connects a platform number to an account. Checks first and makes only the missing changes, so a repeated run changes
 * nothing or resumes an incomplete one.
 * @throws Unfinished with the steps so far if one fails or manual action is needed
 */
export async function connectNumber(operator: Operator, given: NumberToConnect): Promise<object> {
  const { accountId } = await (await operator.get(AccountsService)).requireAccount(given.account);
  const { wabaId, phoneNumber, accessToken, profile } = given;
  const seen = await connectionsOf(operator).check({ accountId, wabaId, phoneNumber, accessToken, profile });
  const connection = { operator, accountId, given, seen };
  const steps: ConnectStep[] = [];
  const resultOf = (): object => ({ accountId, phoneNumber, wabaId, phoneNumberId: seen.phoneNumberId, steps });
  for (const work of stepsOf(connection)) {
    const step = await work();
    if (!step) continue;
    steps.push(step.shown);
    if (!step.failure) continue;
    const reached = new Set(steps.map(({ step: name }) => name));
    const rest = ALL_STEPS.filter((name) => !reached.has(name) && (name !== 'profile' || profile));
    steps.push(...rest.map((name): ConnectStep => ({ step: name, outcome: 'not reached', detail: '', remedy: null })));
    const { step: name, remedy } = step.shown;
    throw new Unfinished(
      step.failure.code,
      `${name}: ${step.failure.message}${remedy === null ? '' : ` ${remedy}`}`,
      resultOf(),
    );
  }
  const missing = steps.filter(({ outcome }) => outcome === 'missing').map(({ step }) => step);
  if (missing.length === 0) return resultOf();
  throw new Unfinished(
    'INVALID_VALUE',
    `the number is connected, but something is missing: ${missing.join(', ')}`,
    resultOf(),
  );
}

/** Outcome of a step. A failure ends the command. */
interface Taken {
  shown: ConnectStep;
  failure?: AppError;
}

function stepsOf(connection: Connection): (() => Promise<Taken | undefined>)[] {
  const { seen, given } = connection;
  return [
    ...LOOKED_AT_FIRST.map((name) => async () => lookedAt(seen, name, true)),
    () => takeStep(connection, 'subscribe', 'subscription'),
    () => register(connection),
    () => add(connection),
    async () => (given.profile ? setProfile(connection) : undefined),
    ...LOOKED_AT_LAST.map((name) => async () => lookedAt(seen, name, false)),
  ];
}

const checkOf = ({ checks }: CheckNumberReply, name: ConnectionCheckName): ConnectionCheck | undefined =>
  checks.find(({ check }) => check === name);

/** @param isNeeded true if the number cannot work without the requirement */
function lookedAt(seen: CheckNumberReply, name: ConnectionCheckName, isNeeded: boolean): Taken | undefined {
  const check = checkOf(seen, name);
  if (!check) return undefined;
  const { state, found, remedy } = check;
  // A number that was just registered has no standing yet.
  if (name === 'standing' && checkOf(seen, 'registration')?.state === 'missing') return undefined;
  // A business account under review does not prevent sending.
  const isThere = name === 'business' && seen.phoneNumberId !== null;
  const isFailure = isNeeded && state === 'missing' && !isThere;
  return {
    shown: { step: name, outcome: isFailure ? 'failed' : state, detail: found, remedy },
    ...(isFailure && { failure: new AppError('INVALID_VALUE', { message: found }) }),
  };
}

async function register(connection: Connection): Promise<Taken> {
  const check = checkOf(connection.seen, 'registration');
  if (check?.state === 'missing' && connection.given.pin === undefined)
    return {
      shown: { step: 'register', outcome: 'failed', detail: check.found, remedy: check.remedy },
      failure: new AppError('MISSING_FIELD', { message: check.found }),
    };
  return takeStep(connection, 'register', 'registration');
}

/** Makes a missing change at the platform. */
async function takeStep(connection: Connection, step: NumberStep, name: ConnectionCheckName): Promise<Taken> {
  const check = checkOf(connection.seen, name);
  if (check?.state === 'ok') return { shown: { step, outcome: 'unchanged', detail: check.found, remedy: null } };
  return prepared(connection, step);
}

async function setProfile(connection: Connection): Promise<Taken> {
  if (connection.seen.isProfileSet === true)
    return { shown: { step: 'profile', outcome: 'unchanged', detail: 'The profile is as asked.', remedy: null } };
  return prepared(connection, 'profile');
}

const DONE: Record<NumberStep, string> = {
  subscribe: 'The app gets the callbacks of the business account from now on.',
  register: 'The number is registered with the Cloud API.',
  profile: 'The profile is set.',
};

async function prepared({ operator, accountId, given, seen }: Connection, step: NumberStep): Promise<Taken> {
  const { wabaId, phoneNumber, accessToken, pin, profile } = given;
  const changes = await operator.get(AuditedChanges);
  const phoneNumberId = seen.phoneNumberId ?? '';
  const seal = (name: 'sealedAccessToken' | 'sealedPin', secret: string): string =>
    operator.secretBox().seal(secret, inTransit(prepareNumberV1, name, accountId));
  const details = { wabaId, phoneNumberId };
  const entry = { actor: operator.actor, action: `number.${step}`, accountId, target: phoneNumber, details };
  return taken(step, DONE[step], () =>
    changes.request(
      entry,
      PrepareNumberCommand,
      {
        step,
        wabaId,
        phoneNumberId,
        sealedAccessToken: seal('sealedAccessToken', accessToken),
        ...(step === 'register' && pin !== undefined && { sealedPin: seal('sealedPin', pin) }),
        ...(step === 'profile' && { profile }),
      },
      (command) => operator.messaging.prepareNumber(command),
    ),
  );
}

async function add({ operator, accountId, given, seen }: Connection): Promise<Taken> {
  const { wabaId, phoneNumber, accessToken } = given;
  if (seen.isAdded)
    return { shown: { step: 'add', outcome: 'unchanged', detail: 'The account has the number.', remedy: null } };
  const number = { account: accountId, wabaId, phoneNumber, accessToken, phoneNumberId: seen.phoneNumberId ?? '' };
  return taken('add', 'The account has the number, and the service reads its templates.', () =>
    addNumber(operator, number),
  );
}

/** Runs a step. A rejection means that nothing was done; after any other error the outcome is unknown. */
async function taken(step: string, done: string, work: () => Promise<object>): Promise<Taken> {
  try {
    await work();
    return { shown: { step, outcome: 'done', detail: done, remedy: null } };
  } catch (error) {
    const failure = toAppError(error);
    const isRefused = isRefusal(failure);
    const remedy = isRefused ? (failure.details?.[0]?.message ?? null) : REPEAT;
    const outcome = isRefused ? 'failed' : 'unknown';
    return { shown: { step, outcome, detail: failure.message, remedy }, failure };
  }
}
