import type { UpstreamTemplateButton, UpstreamTemplateComponent } from '@switchboard/upstream';

/** A component as the API shows it (spec §7.5.4). */
export type TemplateComponentRecord =
  | { type: 'HEADER'; format?: string; text?: string }
  | { type: 'BODY' | 'FOOTER'; text?: string }
  | { type: 'BUTTONS'; buttons: TemplateButtonRecord[] };

export interface TemplateButtonRecord {
  type: string;
  text?: string;
  url?: string;
}

/**
 * Header, body, footer and buttons in the spec's shape; anything else (examples, carousels) stays in the raw template.
 */
export function toComponents(components: readonly UpstreamTemplateComponent[] = []): TemplateComponentRecord[] {
  return components.flatMap((component) => toComponent(component) ?? []);
}

function toComponent({ type, format, text, buttons }: UpstreamTemplateComponent): TemplateComponentRecord | undefined {
  const upperType = upperCase(type);
  switch (upperType) {
    case 'HEADER':
      return { type: upperType, format: format?.toUpperCase(), text };
    case 'BODY':
    case 'FOOTER':
      return { type: upperType, text };
    case 'BUTTONS':
      return { type: upperType, buttons: (buttons ?? []).map(toButton) };
    default:
      return undefined;
  }
}

function toButton({ type, text, url }: UpstreamTemplateButton): TemplateButtonRecord {
  return { type: upperCase(type), text, url };
}

/** The upstream platform may leave anything out. */
function upperCase(text: string | undefined): string {
  return (text ?? '').toUpperCase();
}
