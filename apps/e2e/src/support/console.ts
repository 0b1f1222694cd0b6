import { signIn as signInAt } from '../../../../tools/lib/console-session.mjs';
import { demo } from './installation';

export interface ConsoleAnswer {
  status: number;
  body: Record<string, unknown>;
}

export interface SignedIn {
  /** Sends a request of the page. The path starts after `/console/v1`. */
  call(method: string, path: string, body?: object): Promise<ConsoleAnswer>;
}

/** Signs in to the demo account's dashboard. @param code second factor, for a user who has one */
export async function signIn(email: string, password: string, code?: string): Promise<SignedIn> {
  return { call: await signInAt(demo.baseUrl, { email, password, code }) };
}
