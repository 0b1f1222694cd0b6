import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { activity, Every, Wakeup } from '@switchboard/platform';
import pg from 'pg';
import { CONNECT_TIMEOUT_MS, KEEP_ALIVE_DELAY_MS } from './pools';

const AGAIN_MS = 5_000;
const ANSWER_WITHIN_MS = 2_000;

export const PEER_CONNECTION = Symbol('peer connection');

/** Schema of the service, which names the channel of its processes, and the URL of its database. */
export interface PeerConnection {
  schema: string;
  url: string;
}

/**
 * Connects the processes of a service by LISTEN and NOTIFY: a process that has work wakes the loops of the others, so
 * that they take over at once if it is killed. While the connection is lost, no loop rests for longer than usual.
 */
@Injectable()
export class PeerActivity implements OnApplicationShutdown {
  readonly wakeup = new Wakeup();
  private session?: pg.Client;

  constructor(@Inject(PEER_CONNECTION) private readonly connection: PeerConnection) {}

  /** Connects if there is no connection. */
  @Every({ name: 'activity', everyMs: AGAIN_MS, wakeup: (peers: PeerActivity) => peers.wakeup })
  async listen(): Promise<void> {
    if (this.session) return;
    const { schema, url } = this.connection;
    const session = new pg.Client({
      connectionString: url,
      application_name: `switchboard-${schema}-activity`,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: ANSWER_WITHIN_MS,
    });
    session.on('error', () => this.lose(session));
    session.on('end', () => this.lose(session));
    session.on('notification', () => activity.heard());
    const channel = session.escapeIdentifier(`switchboard_${schema}`);
    try {
      await session.connect();
      await session.query(`LISTEN ${channel}`);
    } catch (error) {
      this.lose(session);
      throw error;
    }
    this.session = session;
    activity.connected(() => void session.query(`NOTIFY ${channel}`).catch(() => this.lose(session)));
  }

  async onApplicationShutdown(): Promise<void> {
    const { session } = this;
    this.session = undefined;
    activity.disconnected();
    await session?.end();
  }

  private lose(session: pg.Client): void {
    // Do not call end(), which would wait for an unresponsive server.
    session.connection.stream.destroy();
    if (this.session !== session) return;
    this.session = undefined;
    activity.disconnected();
    this.wakeup.wake();
  }
}
