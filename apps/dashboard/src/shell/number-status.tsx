import { Link } from '@tanstack/react-router';
import { api, must, type Schemas } from '../api/client';
import { useRead } from '../hooks/queries';
import { Status, type Tone, wordOf } from '../components/display';

type BusinessNumber = Schemas['ShownNumber'];
const LOOK_EVERY_MS = 60_000;

/** Returns the status of a business number as tone and word. */
export function numberState({ status, stoppedReason }: BusinessNumber): { tone: Tone; word: string } {
  if (stoppedReason !== null) return { tone: 'bad', word: 'Stopped' };
  return { tone: status === 'CONNECTED' ? 'success' : 'warning', word: wordOf(status) };
}

/** Status of the business number in the top bar; the worst one if there are several. */
export function NumberState() {
  const account = useRead(['account'], () => must(api.GET('/console/v1/account')), { everyMs: () => LOOK_EVERY_MS });
  const numbers = account.data?.numbers ?? [];
  const shown =
    (['bad', 'warning'] as const)
      .map((tone) => numbers.find((number) => numberState(number).tone === tone))
      .find((number) => number !== undefined) ?? numbers[0];
  if (!shown) return null;
  const { tone, word } = numberState(shown);
  return (
    <Link
      className="btn ghost sm hide-sm"
      to="/numbers"
      data-tip={`${word}${numbers.length > 1 ? `, one of ${numbers.length} numbers` : ''}`}
    >
      <Status tone={tone}>
        <span className="tn">+{shown.phoneNumber}</span>
        <span className="sr">: {word}</span>
      </Status>
    </Link>
  );
}
