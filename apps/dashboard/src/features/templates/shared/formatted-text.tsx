import type { ReactNode } from 'react';

/** WhatsApp formatting marks: around whole words, never across lines or within a word. */
const MARKED = /(?<![\p{L}\p{N}])(```|[*_~])(?=\S)([^\n]*?\S)\1(?![\p{L}\p{N}])/u;
const TAGS: Record<string, 'b' | 'i' | 's' | 'code'> = { '*': 'b', _: 'i', '~': 's', '```': 'code' };

/** Renders the text as a phone shows it: formatted, with sample values highlighted. */
export function textAsShown(text: string, samples: Readonly<Record<string, string>>): ReactNode[] {
  const [whole, mark = '', inner = ''] = MARKED.exec(text) ?? [];
  if (whole === undefined) return variablesShown(text, samples);
  const at = text.indexOf(whole);
  const Tag = TAGS[mark] ?? 'b';
  return [
    ...variablesShown(text.slice(0, at), samples),
    <Tag key={text.length}>{mark === '```' ? inner : textAsShown(inner, samples)}</Tag>,
    ...textAsShown(text.slice(at + whole.length), samples),
  ];
}

function variablesShown(text: string, samples: Readonly<Record<string, string>>): ReactNode[] {
  return text.split(/(\{\{[^{}]*\}\})/).map((part, index) => {
    const [, name] = /^\{\{(.*)\}\}$/.exec(part) ?? [];
    return name === undefined ? part : <mark key={`${index} of ${text}`}>{samples[name] || part}</mark>;
  });
}
