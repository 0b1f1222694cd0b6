import type { Channel } from 'amqplib';
import { createLogger } from '@switchboard/platform';
import { DatabasePause, type Ticket } from './database-pause';

const times = { firstTryMs: 10, lastTryMs: 20, stableMs: 1_000, holdMs: 300_000 };
const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });

describe('DatabasePause', () => {
  const channel = {} as Channel;
  let lines: string[];
  let pause: DatabasePause;

  beforeEach(() => start());

  function start(changes: Partial<typeof times> = {}): void {
    lines = [];
    const logger = createLogger('test', 'info', {
      write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg),
    });
    pause = new DatabasePause(logger, { ...times, ...changes });
  }

  /** Requests admission for all tickets and records the results in the order in which they arrive. */
  function admitAll(tickets: readonly Ticket[]): { position: number; isAdmitted: boolean }[] {
    const answers: { position: number; isAdmitted: boolean }[] = [];
    for (const ticket of tickets)
      void pause.admit(ticket).then((isAdmitted) => answers.push({ position: ticket.position, isAdmitted }));
    return answers;
  }

  async function answered(answers: readonly unknown[], count: number): Promise<void> {
    const until = performance.now() + 5_000;
    while (answers.length < count && performance.now() < until) await new Promise((resolve) => setImmediate(resolve));
    expect(answers).toHaveLength(count);
  }

  const ticketsFor = (count: number, of = channel): Ticket[] =>
    Array.from({ length: count }, () => pause.ticketFor(of));

  it('admits messages immediately while the database is available', async () => {
    const answers = admitAll(ticketsFor(3));
    await answered(answers, 3);
    expect(answers.every(({ isAdmitted }) => isAdmitted)).toBe(true);
  });

  it('lets one message retry, then admits all in arrival order', async () => {
    const tickets = ticketsFor(5);
    pause.onAway(pause.ticketFor(channel), away);
    const answers = admitAll(tickets.toReversed());
    await answered(answers, 1);
    expect(answers).toEqual([{ position: 1, isAdmitted: true }]);
    pause.onHandled(performance.now());
    await answered(answers, 5);
    expect(answers.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
    expect(lines).toEqual(['broker.tasks-paused', 'broker.tasks-resumed']);
  });

  it('ignores a success of a handler started before the failure', async () => {
    const beganAt = performance.now();
    const tickets = ticketsFor(2);
    pause.onAway(pause.ticketFor(channel), away);
    pause.onHandled(beganAt);
    const answers = admitAll(tickets);
    await answered(answers, 1);
    expect(lines).toEqual(['broker.tasks-paused']);
  });

  it('requeues only the messages of a closing channel, in order', async () => {
    const other = {} as Channel;
    const [mine, theirs] = [ticketsFor(3), ticketsFor(2, other)];
    start({ firstTryMs: 60_000, lastTryMs: 60_000 });
    pause.onAway(pause.ticketFor(channel), away);
    const answers = admitAll([...theirs, ...mine].toReversed());
    pause.release(channel);
    await answered(answers, 3);
    expect(answers).toEqual(mine.map(({ position }) => ({ position, isAdmitted: false })));
    expect(await pause.admit(mine[0] as Ticket)).toBe(false);
    pause.onHandled(performance.now());
    await answered(answers, 5);
    expect(answers.slice(3)).toEqual(theirs.map(({ position }) => ({ position, isAdmitted: true })));
  });

  it('requeues messages held for too long', async () => {
    start({ holdMs: 1 });
    const tickets = ticketsFor(3);
    pause.onAway(pause.ticketFor(channel), away);
    const answers = admitAll(tickets);
    await answered(answers, 3);
    expect(answers.map(({ isAdmitted }) => isAdmitted)).toEqual([false, false, false]);
  });
});
