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

export function addNumberConnectCommand({ operator, command }: Console): void {
  command<ConnectOptions>(
    'numbers',
    'connect',
    'Connect a number to an account: check the token and business account, subscribe the app, register and add the number, set its profile. A repeat changes nothing',
    {
      options: (verb) =>
        verb
          .requiredOption('--account <id>', 'account ID')
          .requiredOption('--waba-id <id>', 'ID of the WhatsApp Business account (WABA)')
          .requiredOption('--phone-number <digits>', 'business number, digits only')
          .option(
            '--access-token <token>',
            'upstream access token; prefer UPSTREAM_ACCESS_TOKEN, which the process list does not show',
          )
          .option(
            '--pin <digits>',
            'two-step verification PIN: the current six digits, or new ones; prefer UPSTREAM_NUMBER_PIN',
            sixDigits,
          )
          .option('--about <text>', 'profile: one line below the name, at most 139 characters')
          .option('--description <text>', 'profile: what the business does, at most 512 characters')
          .option('--address <text>', 'profile: postal address, at most 256 characters')
          .option('--email <address>', 'profile: e-mail address')
          .option('--website <url>', 'profile: http:// or https:// URL; at most two', collect, [])
          .option('--vertical <name>', "profile: industry by the platform's name, such as RETAIL"),
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
