import { AppError, type NumberProfile } from '@switchboard/contracts';
import { InvalidArgumentError } from 'commander';
import { collect, type Console } from '../commands/console';
import { connectNumber } from './number-connection';

const PIN = /^[0-9]{6}$/;

interface ConnectOptions extends Omit<NumberProfile, 'websites'> {
  account: string;
  wabaId: string;
  phoneNumber: string;
  accessToken?: string;
  pin?: string;
  website: string[];
}

/** Adds `numbers connect`. */
export function addNumberConnectCommand({ operator, command }: Console): void {
  command<ConnectOptions>(
    'numbers',
    'connect',
    'Connect a number to an account: check the token and the business account, subscribe the app, register the number, add it, set its profile. A repeat changes nothing',
    {
      options: (verb) =>
        verb
          .requiredOption('--account <id>', 'the account')
          .requiredOption('--waba-id <id>', "the upstream platform's business account")
          .requiredOption('--phone-number <digits>', 'the number, digits only')
          .option(
            '--access-token <token>',
            'upstream access token; better given as UPSTREAM_ACCESS_TOKEN, out of the process list',
          )
          .option(
            '--pin <digits>',
            "the number's two-step verification: the six digits it has, or new ones; better given as UPSTREAM_NUMBER_PIN",
            sixDigits,
          )
          .option('--about <text>', 'profile: one line below the name, at most 139 characters')
          .option('--description <text>', 'profile: what the business does, at most 512 characters')
          .option('--address <text>', 'profile: where it is, at most 256 characters')
          .option('--email <address>', 'profile: where it is written to')
          .option('--website <url>', 'profile: http:// or https://; twice at most', collect, [])
          .option('--vertical <name>', 'profile: the industry as the platform calls it, such as RETAIL'),
      run: ({ account, wabaId, phoneNumber, accessToken, pin, website, ...texts }) => {
        const { UPSTREAM_ACCESS_TOKEN, UPSTREAM_NUMBER_PIN } = operator.config();
        const token = accessToken ?? UPSTREAM_ACCESS_TOKEN;
        if (!token)
          throw new AppError('MISSING_FIELD', {
            message: 'an access token is required: set UPSTREAM_ACCESS_TOKEN or give --access-token',
          });
        const profile = { ...texts, ...(website.length > 0 && { websites: website }) };
        return connectNumber(operator, {
          account,
          wabaId,
          phoneNumber,
          accessToken: token,
          pin: pin ?? UPSTREAM_NUMBER_PIN,
          ...(Object.keys(profile).length > 0 && { profile }),
        });
      },
    },
  );
}

function sixDigits(text: string): string {
  if (PIN.test(text)) return text;
  throw new InvalidArgumentError('a PIN has six digits');
}
