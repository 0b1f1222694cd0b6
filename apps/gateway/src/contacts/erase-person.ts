import { Injectable } from '@nestjs/common';
import { AppError, type EraseContactReply, isPhone, isRecipient, phoneSpellings } from '@switchboard/contracts';
import { JobsClient, MessagingClient, OtpClient, WebhooksClient } from '@switchboard/service-clients';
import { DataSource } from 'typeorm';
import { eraseCallbacks, eraseOpenSends, maskAnswers } from './erase-traces';
import { beginErasure, endErasure, findErasure, moveOn } from './erasures';

/** Contact to erase, or to count in a dry run. */
export interface Erasure {
  accountId: string;
  /** Phone number or upstream user id of the contact. */
  phone: string;
  dryRun: boolean;
}

/** Numbers of erased objects; in a dry run, numbers of objects to erase. */
export interface Erased {
  events: number;
  /** Number of bulk job recipients. */
  recipients: number;
  /** Number of one-time code records about the number. */
  codes: number;
  messages: number;
  media: number;
  /** Number of stored upstream callbacks. */
  callbacks: number;
  /** Number of stored responses in which the contact's number is masked. */
  answers: number;
}

/** Progress of an erasure; incomplete if its time budget ran out. */
export interface Erasing {
  erased: Erased;
  done: boolean;
}

interface ErasureOptions {
  /** Reports progress. */
  note?(text: string): void;
  /** Called after something has been erased. */
  begun: () => void;
  /** Checks whether the time budget has run out, so that the caller must repeat the request. */
  isTimeOver?(): boolean;
  /**
   * True to hide the counts of callbacks. A callback may concern several accounts, and users of one account must learn
   * nothing about the others. Hidden callbacks are erased but not counted.
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

/** Thrown by a step when the time budget runs out. */
class TimeIsOver extends Error {}

interface Person extends Erasure {
  alsoKnownAs: string[];
  /** True if the account has or had this contact. */
  isKnown: boolean;
  /** Upstream ids of the account's own numbers. */
  phoneNumberIds: string[];
  /** Cursor of the callback scan: the last callback scanned by an earlier request. */
  after: string;
}

/** Erases contacts in all services. */
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
   * Erases a contact. Only messaging knows all identifiers of a contact, and loses them with the last message. The
   * gateway therefore stores them until the erasure is complete, so that a repeated call can resume. Stored callbacks
   * are erased after everything visible to users, since there may be very many. Finally, data that arrived in the
   * meantime is erased by the known identifiers.
   * @throws AppError NOT_FOUND when the number is unknown and nothing was stored about it
   * @returns the counts, and whether the erasure is complete; if not, the time budget ran out
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

/** Collects the contact's identifiers: those known now and those stored by an earlier request. */
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
 * @throws AppError UNAVAILABLE if a messaging service of the previous version responds, which does not report upstream
 * ids
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
  // An account must not learn from callbacks which contacts other accounts have.
  if (eraser.hidesCallbacks && (dryRun || (!person.isKnown && isNothing(erased)))) return;
  await eraseAllCallbacks(eraser, person, erased);
}

/** Scans page by page from the cursor of an earlier request. Stores the cursor if the time budget runs out. */
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

/** Builds the request for a service that identifies contacts only by some kinds of identifiers. */
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
    // The contact itself is not included in the counts.
    if (reply) eraser.begun();
    erased.messages += reply?.messages ?? 0;
    erased.media += reply?.media ?? 0;
    return reply?.done ?? true;
  };
  return toTheEnd(eraser, step, { erased, tell: () => `${erased.messages} messages and ${erased.media} files` });
}

/** Repeats a step until it reports completion, and reports progress in between. */
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
