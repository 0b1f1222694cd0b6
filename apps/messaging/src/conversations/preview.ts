const MAX_CHARACTERS = 100;

/** Returns the start of the readable text of a message on one line. Null if it has none. */
export function previewOf({
  type,
  content,
  caption,
}: {
  type: string;
  content: object | null;
  caption: string | null;
}): string | null {
  const text = caption ?? READERS.get(type)?.(content as Content) ?? textAt(content, 'caption');
  const line = text?.replace(/\s+/g, ' ').trim();
  if (!line) return null;
  const characters = Array.from(line);
  return characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…` : line;
}

/** Returns the template of a message with the values of its text. The service stores no rendered text. */
export function templateOf({ type, content }: { type: string; content: object | null }): { template?: object } {
  const name = textAt(content, 'name');
  if (type !== 'template' || name === undefined) return {};
  const components = inside(content, 'components');
  return {
    template: {
      name,
      language: inside(content, 'language'),
      components: Array.isArray(components) ? components.filter(isText) : [],
    },
  };
}

const isText = (component: unknown): boolean =>
  ['header', 'body'].includes(textAt(component, 'type')?.toLowerCase() ?? '');

type Content = Record<string, unknown> | null;

/**
 * Functions that return the preview text, by message type. Inbound content is from upstream: any field may be missing,
 * and names of several words are in snake case.
 */
const READERS = new Map<string, (content: Content) => string | undefined>(
  Object.entries({
    text: (content: Content) => textAt(content, 'body'),
    template: (content: Content) => textAt(content, 'name'),
    document: (content: Content) => textAt(content, 'caption') ?? textAt(content, 'filename'),
    location: (content: Content) => textAt(content, 'name') ?? textAt(content, 'address'),
    button: (content: Content) => textAt(content, 'text'),
    reaction: (content: Content) => textAt(content, 'emoji'),
    interactive: (content: Content) =>
      textAt(inside(content, 'button_reply') ?? inside(content, 'list_reply'), 'title') ??
      textAt(inside(content, 'nfm_reply'), 'body') ??
      textAt(inside(content, 'body'), 'text') ??
      textAt(inside(content, 'action'), 'productRetailerId'),
    contacts: (content: Content) => {
      const name = inside(Array.isArray(content) ? (content as unknown[])[0] : null, 'name');
      return textAt(name, 'formatted_name') ?? textAt(name, 'formattedName');
    },
    order: (content: Content) => textAt(content, 'text'),
    system: (content: Content) => textAt(content, 'body'),
  }),
);

function inside(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function textAt(value: unknown, name: string): string | undefined {
  const text = inside(value, name);
  return typeof text === 'string' ? text : undefined;
}
