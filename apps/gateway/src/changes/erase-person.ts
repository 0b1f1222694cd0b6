import {
  AppError,
  eraseContactV1,
  type EraseContactReply,
  erasePersonV1,
  isPhone,
  jobsErasePersonV1,
  otpErasePersonV1,
  phoneSpellings,
} from '@switchboard/contracts';
import type { DataSource } from 'typeorm';
import type { RpcClient } from './audited-changes';
import { eraseCallbacks, maskAnswers } from './erase-traces';

/** Whom to forget, and whether only to count. */
export interface Erasure {
  accountId: string;
  phone: string;
  dryRun: boolean;
}

/** What went, or would go. */
export interface Erased {
  events: number;
  /** Recipients of bulk jobs. */
  recipients: number;
  /** What one-time codes left about the number. */
  codes: number;
  messages: number;
  media: number;
  /** The upstream platform's callbacks as they came. */
  callbacks: number;
  /** Stored answers in which their number is masked. */
  answers: number;
}

/** How far it came; not done when the time was over. */
export interface Erasing {
  erased: Erased;
  done: boolean;
}

interface Eraser {
  rpc: RpcClient;
  dataSource: DataSource;
  /** Hears how far it is. */
  note?(text: string): void;
  /** Is called when something was erased. */
  begun: () => void;
  /** Whether to stop after this step, for somebody who asks again. */
  isTimeOver?(): boolean;
  /**
   * The upstream platform's callbacks belong to no account. Who may see one account only learns nothing of them: they
   * are erased with whatever else is, and not counted.
   */
  hidesCallbacks?: boolean;
}

/** Thrown out of a step when the time is over. */
class TimeIsOver extends Error {}

type Person = Erasure & { alsoKnownAs: string[] };

/**
 * Erases a person in every service. Messaging comes last, because it alone knows all of their names: whoever breaks
 * this off and begins again is told them once more. What came in meanwhile is erased at the end, by the names that were
 * known.
 * @throws AppError NOT_FOUND when nobody is known by this number and nothing was stored about it
 * @returns what went, and whether all did: otherwise the time was over
 */
export async function erasePerson(eraser: Eraser, erasure: Erasure): Promise<Erasing> {
  const known = await askMessaging(eraser, { ...erasure, dryRun: true });
  const person = {
    ...erasure,
    alsoKnownAs: (known?.knownAs ?? phoneSpellings(erasure.phone)).filter((name) => name !== erasure.phone),
  };
  const erased = { events: 0, recipients: 0, codes: 0, messages: 0, media: 0, callbacks: 0, answers: 0 };
  try {
    await eraseEvents(eraser, person, erased);
    await eraseRecipients(eraser, person, erased);
    await eraseCodes(eraser, person, erased);
    await eraseTraces(eraser, person, { erased, isKnown: known !== undefined });
    if (erasure.dryRun) Object.assign(erased, { messages: known?.messages ?? 0, media: known?.media ?? 0 });
    else await eraseMessages(eraser, erasure, erased);
    if (!erasure.dryRun) await eraseEvents(eraser, person, erased);
  } catch (error) {
    if (error instanceof TimeIsOver) return { erased, done: false };
    throw error;
  }
  if (!known && isNothing(erased)) throw new AppError('NOT_FOUND');
  return { erased, done: true };
}

const isNothing = (erased: Erased): boolean => Object.values(erased).every((count) => count === 0);

/** What the gateway itself holds. */
async function eraseTraces(
  { dataSource, note, begun, hidesCallbacks }: Eraser,
  { accountId, phone, alsoKnownAs, dryRun }: Person,
  { erased, isKnown }: { erased: Erased; isKnown: boolean },
): Promise<void> {
  const person = { accountId, names: [phone, ...alsoKnownAs], dryRun };
  erased.answers = await maskAnswers(dataSource, person);
  if (erased.answers > 0) begun();
  // By the callbacks alone an account shall not learn of whom others know.
  if (hidesCallbacks && (dryRun || (!isKnown && isNothing(erased)))) return;
  const tell = (soFar: number): void => (dryRun ? undefined : note?.(`${soFar} callbacks erased so far\n`));
  const callbacks = await eraseCallbacks(dataSource, person, tell);
  if (callbacks > 0) begun();
  if (!hidesCallbacks) erased.callbacks = callbacks;
}

/** @returns undefined when the account knows nobody by this number */
async function askMessaging({ rpc }: Pick<Eraser, 'rpc'>, erasure: Erasure): Promise<EraseContactReply | undefined> {
  try {
    return await rpc.request(eraseContactV1, erasure);
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

function eraseEvents(eraser: Eraser, person: Person, erased: Erased): Promise<void> {
  const step = async (): Promise<boolean> => {
    const { events, done } = await eraser.rpc.request(erasePersonV1, person);
    erased.events += events;
    return done;
  };
  return toTheEnd(eraser, step, { erased, tell: () => `${erased.events} webhook events` });
}

function eraseRecipients(eraser: Eraser, person: Person, erased: Erased): Promise<void> {
  const step = async (): Promise<boolean> => {
    const { recipients, done } = await eraser.rpc.request(jobsErasePersonV1, byNumbers(person));
    erased.recipients += recipients;
    return done;
  };
  return toTheEnd(eraser, step, { erased, tell: () => `${erased.recipients} recipients of jobs` });
}

function eraseCodes(eraser: Eraser, person: Person, erased: Erased): Promise<void> {
  const step = async (): Promise<boolean> => {
    const { rows, done } = await eraser.rpc.request(otpErasePersonV1, byNumbers(person));
    erased.codes += rows;
    return done;
  };
  return toTheEnd(eraser, step, { erased, tell: () => `${erased.codes} rows of one-time codes` });
}

/** The services that know people by their numbers only. */
function byNumbers({ accountId, phone, alsoKnownAs, dryRun }: Person): {
  accountId: string;
  phones: string[];
  dryRun: boolean;
} {
  return { accountId, phones: [phone, ...alsoKnownAs.filter(isPhone)], dryRun };
}

function eraseMessages(eraser: Eraser, erasure: Erasure, erased: Erased): Promise<void> {
  const step = async (): Promise<boolean> => {
    const reply = await askMessaging(eraser, erasure);
    erased.messages += reply?.messages ?? 0;
    erased.media += reply?.media ?? 0;
    return reply?.done ?? true;
  };
  return toTheEnd(eraser, step, { erased, tell: () => `${erased.messages} messages and ${erased.media} files` });
}

/** Takes one step after another, each of which says whether it was the last, and tells how far it is in between. */
async function toTheEnd(
  { note, begun, isTimeOver }: Eraser,
  step: () => Promise<boolean>,
  { erased, tell }: { erased: Erased; tell(): string },
): Promise<void> {
  for (;;) {
    const isDone = await step();
    if (!isNothing(erased)) begun();
    if (isDone) return;
    note?.(`${tell()} erased so far\n`);
    if (isTimeOver?.()) throw new TimeIsOver();
  }
}
