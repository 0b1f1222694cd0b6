/** The categories of templates, as the upstream platform names them. */
export const TEMPLATE_CATEGORIES = ['AUTHENTICATION', 'MARKETING', 'UTILITY'] as const;

/** What the upstream platform would refuse of a template. */
export interface Fault {
  /** Where: `name`, `body.text`, `header.example.header_text`, `buttons.2.url`. */
  field: string;
  /** What must be different, in words. */
  message: string;
}
