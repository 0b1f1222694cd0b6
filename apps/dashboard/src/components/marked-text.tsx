import { Fragment, type ReactNode } from 'react';
import { type Block, type Inline, parseMarks } from '../lib/text-marks';

interface MarkedTextProps {
  text: string;
  /** Renders plain parts of the text, for example with highlighted variables. Links are then shown, but not active. */
  shown?: (part: string) => ReactNode;
}

/** Text of a message as a phone shows it, with links. The untrusted text becomes elements, never HTML. */
export function MarkedText({ text, shown }: MarkedTextProps) {
  return parseMarks(text).map((block, index) => <Part key={index} block={block} shown={shown} />);
}

function Part({ block, shown }: { block: Block; shown: MarkedTextProps['shown'] }) {
  const lines = block.lines.map((line) => inlines(line, shown));
  const broken = lines.map((line, at) => (
    <Fragment key={at}>
      {at > 0 && '\n'}
      {line}
    </Fragment>
  ));
  if (block.kind === 'lines') return broken;
  if (block.kind === 'quote') return <blockquote>{broken}</blockquote>;
  const List = block.kind === 'numbers' ? 'ol' : 'ul';
  return (
    <List>
      {lines.map((line, at) => (
        <li key={at} value={block.kind === 'numbers' ? block.numbers[at] : undefined}>
          {line}
        </li>
      ))}
    </List>
  );
}

function inlines(parts: readonly Inline[], shown: MarkedTextProps['shown']): ReactNode[] {
  return parts.map((part, index) => {
    if (typeof part === 'string') return shown ? <Fragment key={index}>{shown(part)}</Fragment> : part;
    if (part.kind === 'code') return <code key={index}>{shown?.(part.text) ?? part.text}</code>;
    if (part.kind !== 'link') {
      const Tag = part.kind;
      return <Tag key={index}>{inlines(part.parts, shown)}</Tag>;
    }
    if (shown)
      return (
        <span key={index} className="link" dir="ltr">
          {shown(part.text)}
        </span>
      );
    return (
      <WebLink key={index} href={part.href}>
        {part.text}
      </WebLink>
    );
  });
}

/** Link to a page of someone else. An unusual host is named in its encoded form. */
export function WebLink({ href, children }: { href: string; children: string }) {
  return (
    <a
      className="link"
      dir="ltr"
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={href.includes('://xn--') || href.includes('.xn--') ? href : undefined}
    >
      {children}
    </a>
  );
}
