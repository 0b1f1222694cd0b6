import { appSecretProof } from '@switchboard/upstream';
import { timingSafeEqual } from 'node:crypto';
import { GraphError } from './graph-error';

/**
 * The app setting "Require App Secret": calls must then include an `appsecret_proof` made with the app secret. A proof
 * that is present is always verified.
 */
export class AppSecretSwitch {
  isRequired: boolean;

  constructor(
    private readonly appSecret: string,
    private readonly atFirst: boolean,
  ) {
    this.isRequired = atFirst;
  }

  /** @throws GraphError 100 if a required proof is missing, or if a proof is wrong */
  check(accessToken: string, proof: string | undefined): void {
    if (proof === undefined) {
      if (this.isRequired) throw refused('API calls from the server require an appsecret_proof argument');
      return;
    }
    const [given, wanted] = [Buffer.from(proof), Buffer.from(appSecretProof(accessToken, this.appSecret))];
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
      throw refused('Invalid appsecret_proof provided in the API argument');
  }

  reset(): void {
    this.isRequired = this.atFirst;
  }
}

function refused(message: string): GraphError {
  return new GraphError(100, message, { type: 'GraphMethodException' });
}
