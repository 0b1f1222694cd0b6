import { Injectable } from '@nestjs/common';
import { AppError, type EraseContactReply, isPhone, isRecipient, phoneSpellings } from '@switchboard/contracts';
import { JobsClient, MessagingClient, OtpClient, WebhooksClient } from '@switchboard/service-clients';
import { DataSource } from 'typeorm';
import { eraseCallbacks, eraseOpenSends, maskAnswers } from './erase-traces';
import { beginErasure, endErasure, findErasure, moveOn } from './erasures';

/** Contact to erase, and whether to count only. */
export interface Erasure {
  accountId: string;
  /** Phone number or user id. */
  phone: string;
  dryRun: boolean;
}

/** Numbers of erased objects; in a dry run, of those that would be erased. */
export interface Erased {
  events: number;
  /** Recipients of bulk jobs. */
  recipients: number;
  /** Records that one-time codes left about the number. */
  codes: number;
  messages: number;
  media: number;
  /** Raw callbacks of the upstream platform. */
  callbacks: number;
  /** Stored responses in which the number is masked. */
  answers: number;
}

/** Progress of an erasure; not done when the time was over. */
export interface Erasing {
  erased: Erased;
  done: boolean;
}

interface ErasureOptions {
  /** Reports progress. */
  note?(text: string): void;
  /** Called after something was erased. */
  begun: () => void;
  /** Checks whether to stop after this step and let the caller repeat the request. */
  isTimeOver?(): boolean;
  /**
   * Hides the counts of callbacks. One callback may concern several accounts, and the users of one must learn nothing
   * about the others. Such callbacks are erased, but not counted.
   */
  hidesCallbacks?: boolean;
}

interface Eraser extends ErasureOptions {
  messaging: MessagingClient;
  otp: OtpClient;
  jobs: JobsClient;
  webhooks: WebhooksClient;
  dataSource: DataSource;
}

/** Thrown by a step when the time is over. */
class TimeIsOver extends Error {}

interface Person extends Erasure {
  alsoKnownAs: string[];
  /** True if the account has, or had, such a contact. */
  isKnown: boolean;
  /** Upstream ids of the account's own numbers. */
  phoneNumberIds: string[];
  /** Cursor: the last callback scanned by an earlier request. */
  after: string;
}

/** Erases contacts in every service. */
@Injectable()
export class PersonEraser {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly otp: OtpClient,
    private readonly jobs: JobsClient,
    private readonly webhooks: WebhooksClient,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Erases a contact. Only messaging knows all identifiers of a contact, and it forgets them with the last message. So
   * the gateway stores them until the erasure is complete, and a repeated call resumes with them. Stored callbacks come
   * after everything visible to users, since there may be very many. Finally it erases by the known identifiers what
   * arrived meanwhile.
   * @throws AppError NOT_FOUND when the number is unknown and nothing was stored about it
   * @returns the counts, and whether all is erased; otherwise the time was over
   */
  async erase(erasure: Erasure, options: ErasureOptions): Promise<Erasing> {
    const { messaging, otp, jobs, webhooks, dataSource } = this;
    const eraser = { messaging, otp, jobs, webhooks, dataSource, ...options };
    const known = await askMessaging(eraser, { ...erasure, dryRun: true });
    const person = await personOf(eraser, erasure, known);
    const erased = { events: 0, recipients: 0, codes: 0, messages: 0, media: 0, callbacks: 0, answers: 0 };
    try {
      await eraseEvents(eraser, person, erased);
      await eraseRecipients(eraser, person, erased);
      await eraseCodes(eraser, person, erased);
      if (erasure.dryRun) Object.assign(erased, { messages: known?.messages ?? 0, media: known?.media ?? 0 });
      else await eraseMessages(eraser, erasure, erased);
      await eraseTraces(eraser, person, erased);
      if (!erasure.dryRun) {
        await eraseEvents(eraser, person, erased);
        await endErasure(eraser.dataSource, erasure);
      }
    } catch (error) {
      if (error instanceof TimeIsOver) return { erased, done: false };
      throw error;
    }
    if (!person.isKnown && isNothing(erased))
      throw new AppError('NOT_FOUND', { message: 'nothing is stored about this person' });
    return { erased, done: true };
  }
}

const isNothing = (erased: Erased): boolean => Object.values(erased).every((count) => count === 0);

/** Collects the contact's identifiers: those known now and those of an earlier request. */
async function personOf(
  { messaging, dataSource }: Eraser,
  erasure: Erasure,
  known: EraseContactReply | undefined,
): Promise<Person> {
  const phoneNumberIds = await ownNumbers(messaging, erasure.accountId);
  const names = known?.knownAs ?? phoneSpellings(erasure.phone);
  const progress =
    known && !erasure.dryRun ? await beginErasure(dataSource, erasure, names) : await findErasure(dataSource, erasure);
  const others = new Set([...(progress?.names ?? []), ...names]);
  others.delete(erasure.phone);
  const isKnown = known !== undefined || progress !== undefined;
  return { ...erasure, alsoKnownAs: [...others], isKnown, phoneNumberIds, after: progress?.after ?? '' };
}

/**
 * @throws AppError UNAVAILABLE while a messaging service of the previous version, which does not report them, is
 * running
 */
async function ownNumbers(messaging: MessagingClient, accountId: string): Promise<string[]> {
  const { numbers } = await messaging.listNumbers({ accountId });
  return numbers.map(({ phoneNumberId }) => {
    if (phoneNumberId === undefined) throw new AppError('UNAVAILABLE');
    return phoneNumberId;
  });
}

/** Erases what the gateway itself stores. */
async function eraseTraces(eraser: Eraser, person: Person, erased: Erased): Promise<void> {
  const { accountId, phone, alsoKnownAs, dryRun } = person;
  erased.answers = await maskAnswers(eraser.dataSource, { accountId, names: [phone, ...alsoKnownAs], dryRun });
  if (erased.answers > 0) eraser.begun();
  if (!dryRun) await eraseOpenSends(eraser.dataSource, accountId, [phone, ...alsoKnownAs]);
  // An account must not learn from callbacks which contacts others have.
  if (eraser.hidesCallbacks && (dryRun || (!person.isKnown && isNothing(erased)))) return;
  await eraseAllCallbacks(eraser, person, erased);
}

/** Scans page by page from the cursor of an earlier request. Stores the cursor when it has to stop. */
async function eraseAllCallbacks(
  { dataSource, note, begun, hidesCallbacks, isTimeOver }: Eraser,
  person: Person,
  erased: Erased,
): Promise<void> {
  const names = [person.phone, ...person.alsoKnownAs];
  let soFar = 0;
  for (let after = person.after; ; ) {
    const { callbacks, lastId } = await eraseCallbacks(dataSource, { ...person, names, after });
    soFar += callbacks;
    if (!hidesCallbacks) erased.callbacks = soFar;
    if (callbacks > 0 && !person.dryRun) {
      begun();
      note?.(`${soFar} callbacks erased so far\n`);
    }
    if (lastId === null) return;
    after = lastId;
    if (!isTimeOver?.()) continue;
    await beginErasure(dataSource, person, names);
    await moveOn(dataSource, person, after);
    throw new TimeIsOver();
  }
}

/** @returns undefined when the account has no contact with this number */
async function askMessaging(
  { messaging }: Pick<Eraser, 'messaging'>,
  erasure: Erasure,
): Promise<EraseContactReply | undefined> {
  try {
    return await messaging.eraseContact(erasure);
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

function eraseEvents(eraser: Eraser, person: Person, erased: Erased): Promise<void> {
  const step = async (): Promise<boolean> => {
    const { events, done } = await eraser.webhooks.erasePerson(person);
    erased.events += events;
    return done;
  };
  return toTheEnd(eraser, step, { erased, tell: () => `${erased.events} webhook events` });
}

function eraseRecipients(eraser: Eraser, person: Person, erased: Erased): Promise<void> {
  const step = async (): Promise<boolean> => {
    const numbers = knownBy(person, isRecipient);
    if (numbers.phones.length === 0) return true;
    const { recipients, done } = await eraser.jobs.erasePerson(numbers);
    erased.recipients += recipients;
    return done;
  };
  return toTheEnd(eraser, step, { erased, tell: () => `${erased.recipients} recipients of jobs` });
}

function eraseCodes(eraser: Eraser, person: Person, erased: Erased): Promise<void> {
  const step = async (): Promise<boolean> => {
    // Codes are sent to numbers only, so a person with a hidden number has none.
    const numbers = knownBy(person, isPhone);
    if (numbers.phones.length === 0) return true;
    const { rows, done } = await eraser.otp.erasePerson(numbers);
    erased.codes += rows;
    return done;
  };
  return toTheEnd(eraser, step, { erased, tell: () => `${erased.codes} rows of one-time codes` });
}

/** Builds the request for a service that knows contacts by some of their identifiers. */
function knownBy(
  { accountId, phone, alsoKnownAs, dryRun }: Person,
  isKnownThere: (name: string) => boolean,
): {
  accountId: string;
  phones: string[];
  dryRun: boolean;
} {
  return { accountId, phones: [phone, ...alsoKnownAs].filter(isKnownThere), dryRun };
}

function eraseMessages(eraser: Eraser, erasure: Erasure, erased: Erased): Promise<void> {
  const step = async (): Promise<boolean> => {
    const reply = await askMessaging(eraser, erasure);
    // The contact itself is not counted.
    if (reply) eraser.begun();
    erased.messages += reply?.messages ?? 0;
    erased.media += reply?.media ?? 0;
    return reply?.done ?? true;
  };
  return toTheEnd(eraser, step, { erased, tell: () => `${erased.messages} messages and ${erased.media} files` });
}

/** Repeats a step until it reports the last one, and reports progress in between. */
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
