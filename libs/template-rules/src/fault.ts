/** Template categories, as WhatsApp names them. */
export const TEMPLATE_CATEGORIES = ['AUTHENTICATION', 'MARKETING', 'UTILITY'] as const;

/** Reason why WhatsApp would reject a template. */
export interface Fault {
  /** Path of the field: `name`, `body.text`, `header.example.header_text`, `buttons.2.url`. */
  field: string;
  /** Human-readable requirement. */
  message: string;
}
