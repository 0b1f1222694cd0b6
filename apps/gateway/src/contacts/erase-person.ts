import { Injectable } from '@nestjs/common';
import { AppError, type EraseContactReply, isPhone, phoneSpellings } from '@switchboard/contracts';
import { JobsClient, MessagingClient, OtpClient, WebhooksClient } from '@switchboard/service-clients';
import { DataSource } from 'typeorm';
import { eraseCallbacks, eraseOpenSends, maskAnswers } from './erase-traces';
import { beginErasure, endErasure, findErasure, moveOn } from './erasures';

/** Whom to forget, and whether only to count. */
export interface Erasure {
  accountId: string;
  /** Or a user id. */
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

interface ErasureOptions {
  /** Hears how far it is. */
  note?(text: string): void;
  /** Is called when something was erased. */
  begun: () => void;
  /** Whether to stop after this step, for somebody who asks again. */
  isTimeOver?(): boolean;
  /**
   * One of the upstream platform's callbacks may report on several accounts. Who may see one account only learns
   * nothing of them: they are erased with whatever else is, and not counted.
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

/** Thrown out of a step when the time is over. */
class TimeIsOver extends Error {}

interface Person extends Erasure {
  alsoKnownAs: string[];
  /** Whether the account has, or had, such a contact. */
  isKnown: boolean;
  /** The account's own numbers, as callbacks name them. */
  phoneNumberIds: string[];
  /** The last callback that an earlier request looked at. */
  after: string;
}

/** Erases people in every service. */
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
   * Erases a person. Messaging alone knows all of their names, and forgets them with the last message:
   * so the gateway keeps them until all is done, and whoever breaks this off and begins again goes on with them. The
   * stored callbacks come after all that people can see, since there may be very many. What came in meanwhile is erased
   * at the end, by the names that were known.
   * @throws AppError NOT_FOUND when nobody is known by this number and nothing was stored about it
   * @returns what went, and whether all did: otherwise the time was over
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

/** Whom to forget, by the names that are known now and those that an earlier request knew. */
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

/** @throws AppError UNAVAILABLE while a messaging service of the version before is there, which does not tell */
async function ownNumbers(messaging: MessagingClient, accountId: string): Promise<string[]> {
  const { numbers } = await messaging.listNumbers({ accountId });
  return numbers.map(({ phoneNumberId }) => {
    if (phoneNumberId === undefined) throw new AppError('UNAVAILABLE');
    return phoneNumberId;
  });
}

/** What the gateway itself holds. */
async function eraseTraces(eraser: Eraser, person: Person, erased: Erased): Promise<void> {
  const { accountId, phone, alsoKnownAs, dryRun } = person;
  erased.answers = await maskAnswers(eraser.dataSource, { accountId, names: [phone, ...alsoKnownAs], dryRun });
  if (erased.answers > 0) eraser.begun();
  if (!dryRun) await eraseOpenSends(eraser.dataSource, accountId, [phone, ...alsoKnownAs]);
  // By the callbacks alone an account shall not learn of whom others know.
  if (eraser.hidesCallbacks && (dryRun || (!person.isKnown && isNothing(erased)))) return;
  await eraseAllCallbacks(eraser, person, erased);
}

/** Page by page from where an earlier request came to; who has to stop notes how far this one came. */
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

/** @returns undefined when the account knows nobody by this number */
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
    const numbers = byNumbers(person);
    if (numbers.phones.length === 0) return true;
    const { recipients, done } = await eraser.jobs.erasePerson(numbers);
    erased.recipients += recipients;
    return done;
  };
  return toTheEnd(eraser, step, { erased, tell: () => `${erased.recipients} recipients of jobs` });
}

function eraseCodes(eraser: Eraser, person: Person, erased: Erased): Promise<void> {
  const step = async (): Promise<boolean> => {
    const numbers = byNumbers(person);
    if (numbers.phones.length === 0) return true;
    const { rows, done } = await eraser.otp.erasePerson(numbers);
    erased.codes += rows;
    return done;
  };
  return toTheEnd(eraser, step, { erased, tell: () => `${erased.codes} rows of one-time codes` });
}

/** For the services that know people by their numbers only: none, where the number was always hidden. */
function byNumbers({ accountId, phone, alsoKnownAs, dryRun }: Person): {
  accountId: string;
  phones: string[];
  dryRun: boolean;
} {
  return { accountId, phones: [phone, ...alsoKnownAs].filter(isPhone), dryRun };
}

function eraseMessages(eraser: Eraser, erasure: Erasure, erased: Erased): Promise<void> {
  const step = async (): Promise<boolean> => {
    const reply = await askMessaging(eraser, erasure);
    // The contact counts nowhere.
    if (reply) eraser.begun();
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
