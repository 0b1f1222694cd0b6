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
import type { Console } from './console';
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

interface Eraser extends Pick<Console, 'operator' | 'note'> {
  /** Is called when something was erased. */
  begun: () => void;
}

type Person = Erasure & { alsoKnownAs: string[] };
type Step<Counts> = () => Promise<Counts & { done: boolean }>;

/**
 * Erases a person in every service. Messaging comes last, because it alone knows all of their names: whoever breaks
 * this off and begins again is told them once more. What came in meanwhile is erased at the end, by the names that were
 * known.
 * @throws AppError NOT_FOUND when nobody is known by this number and nothing was stored about it
 */
export async function erasePerson(console: Eraser, erasure: Erasure): Promise<Erased> {
  const known = await askMessaging(console, { ...erasure, dryRun: true });
  const person = {
    ...erasure,
    alsoKnownAs: (known?.knownAs ?? phoneSpellings(erasure.phone)).filter((name) => name !== erasure.phone),
  };
  const events = await eraseEvents(console, person);
  const recipients = await eraseRecipients(console, person);
  const codes = await eraseCodes(console, person);
  const traces = await eraseTraces(console, person);
  const { messages = 0, media = 0 } = (erasure.dryRun ? known : await eraseMessages(console, erasure)) ?? {};
  const late = erasure.dryRun ? 0 : await eraseEvents(console, person);
  if (!known && events + recipients + codes + late + traces.callbacks + traces.answers === 0)
    throw new AppError('NOT_FOUND');
  return { events: events + late, recipients, codes, messages, media, ...traces };
}

/** What the gateway itself holds. */
async function eraseTraces(
  { operator, note, begun }: Eraser,
  { accountId, phone, alsoKnownAs, dryRun }: Person,
): Promise<Pick<Erased, 'callbacks' | 'answers'>> {
  const { dataSource } = await operator.database();
  const person = { accountId, names: [phone, ...alsoKnownAs], dryRun };
  const answers = await maskAnswers(dataSource, person);
  if (answers > 0) begun();
  const tell = (soFar: number): void => (dryRun ? undefined : note(`${soFar} callbacks erased so far\n`));
  const callbacks = await eraseCallbacks(dataSource, person, tell);
  if (callbacks > 0) begun();
  return { callbacks, answers };
}

/** @returns undefined when the account knows nobody by this number */
async function askMessaging(
  { operator }: Pick<Console, 'operator'>,
  erasure: Erasure,
): Promise<EraseContactReply | undefined> {
  try {
    return await operator.request(eraseContactV1, erasure);
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

async function eraseEvents({ operator, note, begun }: Eraser, person: Person): Promise<number> {
  const step = () => operator.request(erasePersonV1, person);
  return (
    await toTheEnd({ events: 0 }, step, {
      begun,
      tell: ({ events }) => note(`${events} webhook events erased so far\n`),
    })
  ).events;
}

async function eraseRecipients({ operator, note, begun }: Eraser, person: Person): Promise<number> {
  const step = () => operator.request(jobsErasePersonV1, byNumbers(person));
  return (
    await toTheEnd({ recipients: 0 }, step, {
      begun,
      tell: ({ recipients }) => note(`${recipients} recipients of jobs erased so far\n`),
    })
  ).recipients;
}

async function eraseCodes({ operator, note, begun }: Eraser, person: Person): Promise<number> {
  const step = () => operator.request(otpErasePersonV1, byNumbers(person));
  return (
    await toTheEnd({ rows: 0 }, step, {
      begun,
      tell: ({ rows }) => note(`${rows} rows of one-time codes erased so far\n`),
    })
  ).rows;
}

/** The services that know people by their numbers only. */
function byNumbers({ accountId, phone, alsoKnownAs, dryRun }: Person): {
  accountId: string;
  phones: string[];
  dryRun: boolean;
} {
  return { accountId, phones: [phone, ...alsoKnownAs.filter(isPhone)], dryRun };
}

function eraseMessages(console: Eraser, erasure: Erasure): Promise<{ messages: number; media: number }> {
  const nothing = { messages: 0, media: 0, done: true };
  const step = async () => (await askMessaging(console, erasure)) ?? nothing;
  return toTheEnd({ messages: 0, media: 0 }, step, {
    begun: console.begun,
    tell: ({ messages, media }) => console.note(`${messages} messages and ${media} files erased so far\n`),
  });
}

interface Follower<Counts> extends Pick<Eraser, 'begun'> {
  tell: (soFar: Counts) => void;
}

/** Asks for one step after another, tells how far it is after each but the last, and adds up what they did. */
async function toTheEnd<Counts extends Record<string, number>>(
  none: Counts,
  step: Step<Counts>,
  { begun, tell }: Follower<Counts>,
): Promise<Counts> {
  const sums: Record<string, number> = { ...none };
  for (;;) {
    const reply = await step();
    for (const name of Object.keys(none)) sums[name] = (sums[name] ?? 0) + (reply[name] ?? 0);
    if (Object.values(sums).some((count) => count > 0)) begun();
    if (reply.done) return sums as Counts;
    tell(sums as Counts);
  }
}
