import type { ReactNode } from 'react';
import { MarkedText } from '../../../components/marked-text';

/** Text of a template as a phone shows it: formatted, with highlighted sample values. */
export function TemplateText({ text, samples }: { text: string; samples: Readonly<Record<string, string>> }) {
  return <MarkedText text={text} shown={(part) => variablesShown(part, samples)} />;
}

function variablesShown(text: string, samples: Readonly<Record<string, string>>): ReactNode[] {
  return text.split(/(\{\{[^{}]*\}\})/).map((part, index) => {
    const [, name] = /^\{\{(.*)\}\}$/.exec(part) ?? [];
    return name === undefined ? part : <mark key={`${index} of ${text}`}>{samples[name] || part}</mark>;
  });
}
