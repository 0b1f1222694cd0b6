import { Copy, CopyCheck } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { Button } from './controls';

type Outcome = 'copied' | 'selected';
const SHOWN_MS = 4_000;
const TEXTS = { copied: 'Copied', selected: 'Press Ctrl+C' };

/**
 * Copies a text that is shown. Over plain HTTP there is no clipboard for pages: the text is selected, and where the
 * browser does not copy it either, the button says how somebody does it themselves.
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
  // Browsers give it to pages of HTTPS and of this machine alone, whatever the types say.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  const isCopied = await clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (isCopied) return 'copied';
  if (shown) getSelection()?.selectAllChildren(shown);
  // No other way exists without a clipboard.
  return document.execCommand('copy') ? 'copied' : 'selected';
}
