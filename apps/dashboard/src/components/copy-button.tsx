import { Copy, CopyCheck } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { Button } from './controls';

type Outcome = 'copied' | 'selected';
const SHOWN_MS = 4_000;
const TEXTS = { copied: 'Copied', selected: 'Press Ctrl+C' };

/**
 * Button that copies a visible text. Pages on plain HTTP have no clipboard API, so the button selects the text and uses
 * `execCommand`. If that fails too, it shows how to copy by hand.
 */
export function CopyButton({
  text,
  shown,
  label,
  look,
}: {
  text: string;
  shown: RefObject<HTMLElement | null>;
  label?: string;
  look?: 'ghost';
}) {
  const [outcome, setOutcome] = useState<Outcome>();
  const copy = async (): Promise<void> => {
    setOutcome(await copyText(text, shown.current));
    setTimeout(() => setOutcome(undefined), SHOWN_MS);
  };
  return (
    <>
      <Button
        size="sm"
        {...(look && { look })}
        icon={outcome === 'copied' ? CopyCheck : Copy}
        {...(label !== undefined && outcome === undefined && { 'aria-label': `Copy ${label}` })}
        onClick={() => void copy()}
      >
        {outcome ? TEXTS[outcome] : 'Copy'}
      </Button>
      <span className="sr" role="status">
        {outcome && TEXTS[outcome]}
      </span>
    </>
  );
}

async function copyText(text: string, shown: HTMLElement | null): Promise<Outcome> {
  // Browsers define it only for HTTPS and localhost, although its type is not optional.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  const isCopied = await clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (isCopied) return 'copied';
  if (shown) getSelection()?.selectAllChildren(shown);
  // Deprecated, but the only way without the clipboard API.
  return document.execCommand('copy') ? 'copied' : 'selected';
}
