import type { Faults } from '../faults';

type Step = 'sent' | 'delivered' | 'read';

/** Recipient with a forced outcome, regardless of the 24-hour window. */
export interface MagicNumber {
  waId: string;
  /** Human-readable outcome, shown by the page and `GET /_control/magic`. */
  does: string;
  /** Code with which the send is rejected. */
  refuse?: number;
  /** Behavior of the response; immediate by default. */
  answer?: 'late' | 'never' | 'never-taken' | 'cut-off' | 'without-id' | 'bad-gateway' | 'turned-away';
  /** Statuses to emit; all three when absent. */
  steps?: readonly Step[];
  /** Error code of the failure after the steps. */
  fail?: number;
  /** Callback faults that replace the injected ones. */
  callbacks?: Partial<Faults['callbacks']>;
}

/** Delay of a slow response, close to the callers' timeout. */
export const LATE_ANSWER_MS = 8_000;

// Number range that is not assigned to anyone.
const PREFIX = '15005550';

const failing = (suffix: string, code: number, does: string): MagicNumber => ({
  waId: PREFIX + suffix,
  does: `fails with ${code}: ${does}`,
  steps: [],
  fail: code,
});
const refused = (suffix: string, code: number, does: string): MagicNumber => ({
  waId: PREFIX + suffix,
  does: `is rejected with ${code}: ${does}`,
  refuse: code,
});

export const MAGIC_NUMBERS: readonly MagicNumber[] = [
  { waId: `${PREFIX}100`, does: 'is delivered and read' },
  { waId: `${PREFIX}101`, does: 'is delivered, but never read', steps: ['sent', 'delivered'] },
  { waId: `${PREFIX}102`, does: 'is read without the status delivered', steps: ['sent', 'read'] },
  { waId: `${PREFIX}103`, does: 'is sent, but never delivered', steps: ['sent'] },
  { waId: `${PREFIX}104`, does: 'is sent, then fails with 131026', steps: ['sent'], fail: 131026 },
  { waId: `${PREFIX}105`, does: `gets its response after ${LATE_ANSWER_MS / 1_000} s`, answer: 'late' },
  { waId: `${PREFIX}106`, does: 'is accepted and delivered, but gets no response', answer: 'never' },
  { waId: `${PREFIX}107`, does: 'is not accepted and gets no response', answer: 'never-taken' },
  {
    waId: `${PREFIX}108`,
    does: 'is accepted and delivered, but the connection closes without a response',
    answer: 'cut-off',
  },
  {
    waId: `${PREFIX}109`,
    does: 'is accepted and delivered, but the 200 response has no message ID',
    answer: 'without-id',
  },
  { waId: `${PREFIX}110`, does: 'gets every callback twice', callbacks: { duplicate: 1 } },
  { waId: `${PREFIX}111`, does: 'gets its callbacks in random order', callbacks: { shuffle: 1 } },
  { waId: `${PREFIX}112`, does: 'gets its first callback before the response', callbacks: { beforeAnswer: 1 } },
  { waId: `${PREFIX}113`, does: 'gets no callback at all', callbacks: { lose: 1 } },
  { waId: `${PREFIX}114`, does: 'gets its callbacks 30 s late', callbacks: { delayMs: 30_000 } },
  {
    waId: `${PREFIX}115`,
    does: 'is accepted and delivered, but a proxy returns 502 with its own page',
    answer: 'bad-gateway',
  },
  { waId: `${PREFIX}117`, does: 'is rejected by a proxy: 429 with its own page', answer: 'turned-away' },
  failing('126', 131026, 'not on the platform'),
  failing('142', 131042, 'a payment issue of the business'),
  failing('147', 131047, 'the 24-hour window is closed'),
  failing('149', 131049, 'one marketing message too many'),
  failing('150', 131050, 'the user stopped marketing messages'),
  failing('153', 131053, 'the media could not be fetched'),
  failing('172', 130472, 'the user is part of an experiment'),
  refused('129', 130429, 'throttled, too many messages of the number'),
  refused('156', 131056, 'throttled, too many messages to this user'),
  refused('148', 131048, 'spam rate limit'),
  refused('130', 131030, 'not in the allowed list'),
  refused('131', 131031, 'the account is locked'),
  refused('116', 131016, 'service unavailable'),
  refused('190', 190, 'the access token has expired'),
];

const BY_WA_ID = new Map(MAGIC_NUMBERS.map((magic) => [magic.waId, magic]));

/** Returns the forced outcome of a recipient, or undefined for any other recipient. */
export function magicOf(waId: string): MagicNumber | undefined {
  return BY_WA_ID.get(waId);
}
