/** A template as it is created; what the platform adds to it comes with the list. */
export interface UpstreamNewTemplate {
  name: string;
  language: string;
  category: string;
  components: object[];
  parameter_format?: 'POSITIONAL' | 'NAMED';
  message_send_ttl_seconds?: number;
}

/** What an edit replaces; components as a whole. */
export type UpstreamTemplateEdit = Partial<
  Pick<UpstreamNewTemplate, 'category' | 'components' | 'parameter_format' | 'message_send_ttl_seconds'>
>;

/** The answer to a creation; the review may be over at once. */
export interface UpstreamCreatedTemplate {
  [field: string]: unknown;
  id: string;
  status?: string;
  category?: string;
}
