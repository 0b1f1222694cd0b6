import type { Faults } from '../faults';

type Step = 'sent' | 'delivered' | 'read';

/** A recipient that forces what happens to a message for it. The 24-hour window never matters to these. */
export interface MagicNumber {
  waId: string;
  /** For people, on the page and in the read-me. */
  does: string;
  /** The send is refused with this code. */
  refuse?: number;
  /** How the send is answered; at once by default. */
  answer?: 'late' | 'never' | 'never-taken' | 'cut-off' | 'without-id' | 'bad-gateway' | 'turned-away';
  /** The statuses that follow; all three by default. */
  steps?: readonly Step[];
  /** The code it fails with after the steps. */
  fail?: number;
  /** In place of the injected faults. */
  callbacks?: Partial<Faults['callbacks']>;
}

/** How late a slow answer comes: near the deadline of callers. */
export const LATE_ANSWER_MS = 8_000;

// Numbers of a range that is not given to anybody.
const PREFIX = '15005550';

const failing = (suffix: string, code: number, does: string): MagicNumber => ({
  waId: PREFIX + suffix,
  does: `fails with ${code}: ${does}`,
  steps: [],
  fail: code,
});
const refused = (suffix: string, code: number, does: string): MagicNumber => ({
  waId: PREFIX + suffix,
  does: `is refused with ${code}: ${does}`,
  refuse: code,
});

export const MAGIC_NUMBERS: readonly MagicNumber[] = [
  { waId: `${PREFIX}100`, does: 'is delivered and read' },
  { waId: `${PREFIX}101`, does: 'is delivered, never read', steps: ['sent', 'delivered'] },
  { waId: `${PREFIX}102`, does: 'is read without a status delivered', steps: ['sent', 'read'] },
  { waId: `${PREFIX}103`, does: 'is sent and stays there', steps: ['sent'] },
  { waId: `${PREFIX}104`, does: 'is sent, then fails with 131026', steps: ['sent'], fail: 131026 },
  { waId: `${PREFIX}105`, does: `is answered after ${LATE_ANSWER_MS / 1_000} s`, answer: 'late' },
  { waId: `${PREFIX}106`, does: 'is taken and delivered, but never answered', answer: 'never' },
  { waId: `${PREFIX}107`, does: 'is neither taken nor answered', answer: 'never-taken' },
  {
    waId: `${PREFIX}108`,
    does: 'is taken and delivered; the connection is cut instead of an answer',
    answer: 'cut-off',
  },
  {
    waId: `${PREFIX}109`,
    does: 'is taken and delivered; the answer 200 does not name the message',
    answer: 'without-id',
  },
  { waId: `${PREFIX}110`, does: 'gets every callback twice', callbacks: { duplicate: 1 } },
  { waId: `${PREFIX}111`, does: 'gets its callbacks in any order', callbacks: { shuffle: 1 } },
  { waId: `${PREFIX}112`, does: 'gets its first callback before the send is answered', callbacks: { beforeAnswer: 1 } },
  { waId: `${PREFIX}113`, does: 'gets no callback at all', callbacks: { lose: 1 } },
  { waId: `${PREFIX}114`, does: 'gets its callbacks 30 s late', callbacks: { delayMs: 30_000 } },
  {
    waId: `${PREFIX}115`,
    does: 'is taken and delivered; a proxy answers 502 with a page of its own',
    answer: 'bad-gateway',
  },
  { waId: `${PREFIX}117`, does: 'is turned away by a proxy: 429 with a page of its own', answer: 'turned-away' },
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

/** What the recipient forces; undefined for anybody else. */
export function magicOf(waId: string): MagicNumber | undefined {
  return BY_WA_ID.get(waId);
}
