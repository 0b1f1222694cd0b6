/**
 * Base of the Cloud API's wire types, which cover the fields that Switchboard uses. The platform adds fields at any
 * time, so all objects may have more fields than listed here, and nearly all fields may be missing.
 */
interface Open {
  [field: string]: unknown;
}

/** Media object of a send, with either `id` (uploaded before) or `link` (which the platform fetches later). */
export interface UpstreamMedia {
  id?: string;
  link?: string;
  /** Only for image, video and document; at most 1,024 characters. */
  caption?: string;
  filename?: string;
  /** Only for audio: a voice message, which must be Ogg with Opus. */
  voice?: boolean;
}

export interface UpstreamTemplateParameter extends Open {
  type: string;
  text?: string;
  payload?: string;
  image?: UpstreamMedia;
  video?: UpstreamMedia;
  document?: UpstreamMedia;
}

/** Component of a template send; components without variables are omitted. */
export interface UpstreamSendComponent {
  /** Lower case: header, body, button, limited_time_offer or carousel. */
  type: string;
  /** Only for buttons: url, quick_reply, copy_code, catalog, mpm, flow. */
  sub_type?: string;
  /** Only for buttons: zero-based position in the template's buttons. */
  index?: string | number;
  parameters?: UpstreamTemplateParameter[];
  /** Only for a carousel, which has no parameters. */
  cards?: UpstreamSendCard[];
}

export interface UpstreamSendCard {
  card_index: number;
  components: UpstreamSendComponent[];
}

/** Body of a send as passed to the client, which adds the constant fields. */
export interface UpstreamSendBody {
  /**
   * Recipient, in digits only. The client adds the leading plus, without which the platform would misroute the message.
   */
  to?: string;
  /** User id of the recipient, as an alternative to `to`. */
  recipient?: string;
  type:
    | 'text'
    | 'template'
    | 'image'
    | 'document'
    | 'video'
    | 'audio'
    | 'sticker'
    | 'interactive'
    | 'location'
    | 'contacts'
    | 'reaction';
  text?: { body: string; preview_url?: boolean };
  template?: { name: string; language: { code: string }; components?: UpstreamSendComponent[] };
  image?: UpstreamMedia;
  document?: UpstreamMedia;
  video?: UpstreamMedia;
  audio?: UpstreamMedia;
  sticker?: UpstreamMedia;
  interactive?: object;
  location?: { latitude: number; longitude: number; name?: string; address?: string };
  contacts?: object[];
  reaction?: { message_id: string; emoji: string };
  context?: { message_id: string };
  /** Data returned in every status of this message; at most 512 characters. */
  biz_opaque_callback_data?: string;
}

/** Successful response to a send. The message was accepted, but may still fail. */
export interface UpstreamSendResponse extends Open {
  messaging_product: 'whatsapp';
  contacts?: { input: string; wa_id?: string; user_id?: string }[];
  messages: { id: string; message_status?: string }[];
}

export interface UpstreamErrorEnvelope extends Open {
  error: {
    message: string;
    type?: string;
    code: number;
    error_subcode?: number;
    error_data?: { messaging_product?: string; details?: string };
    is_transient?: boolean;
    error_user_title?: string;
    error_user_msg?: string;
    fbtrace_id?: string;
  };
}

export interface UpstreamTemplateButton extends Open {
  type: string;
  text?: string;
  url?: string;
  phone_number?: string;
}

/** Component in a list of templates, with types in upper case. */
export interface UpstreamTemplateComponent extends Open {
  type: string;
  format?: string;
  text?: string;
  buttons?: UpstreamTemplateButton[];
}

export interface UpstreamTemplate extends Open {
  id: string;
  name: string;
  language: string;
  status: string;
  category: string;
  parameter_format?: string;
  components?: UpstreamTemplateComponent[];
  rejected_reason?: string;
}

/** Page of a list. `next` is absent on the last page, while the cursors are not. */
export interface UpstreamPage<T> extends Open {
  data: T[];
  paging?: { cursors?: { before?: string; after?: string }; next?: string };
}

/** Number object. `display_phone_number` is formatted here ("+1 555-000-1111") but has only digits in callbacks. */
export interface UpstreamNumber extends Open {
  id: string;
  display_phone_number?: string;
  verified_name?: string;
  /** GREEN, YELLOW, RED, NA or UNKNOWN. */
  quality_rating?: string;
  status?: string;
  throughput?: { level?: string };
  whatsapp_business_manager_messaging_limit?: string;
}

/** Error inside a callback: a failed status, an unreadable message, or a problem of the number itself. */
export interface UpstreamCallbackError extends Open {
  code: number;
  title?: string;
  message?: string;
  error_data?: { details?: string };
  href?: string;
}

/**
 * Inbound message with its content in the member named after its type. `from` is missing for users without a phone
 * number.
 */
export interface UpstreamInboundMessage extends Open {
  id: string;
  from?: string;
  from_user_id?: string;
  /** Only if the portfolio has enabled parent user ids. */
  from_parent_user_id?: string;
  /** Unix seconds as a string. */
  timestamp: string;
  type: string;
  context?: { id?: string; from?: string; forwarded?: boolean };
  errors?: UpstreamCallbackError[];
  /** Group that the message was sent to, if any. */
  group_id?: string;
}

export interface UpstreamStatus extends Open {
  /** The wamid that the send returned. */
  id: string;
  /** sent, delivered, read, failed, played. */
  status: string;
  /** Unix seconds as a string. */
  timestamp: string;
  recipient_id?: string;
  recipient_user_id?: string;
  /** Only if the portfolio has enabled parent user ids. */
  recipient_parent_user_id?: string;
  /** Only set to `group`, for a message to a group. */
  recipient_type?: string;
  /** `payment` or `call` for the status of a payment or call; usually absent for message statuses. */
  type?: string;
  biz_opaque_callback_data?: string;
  pricing?: { billable?: boolean; pricing_model?: string; type?: string; category?: string };
  errors?: UpstreamCallbackError[];
}

export interface UpstreamContact extends Open {
  profile?: { name?: string; username?: string };
  /** Only if the portfolio has enabled parent user ids. */
  parent_user_id?: string;
  wa_id?: string;
  user_id?: string;
}

/** Marketing preference of a contact. */
export interface UpstreamPreference extends Open {
  wa_id?: string;
  user_id?: string;
  /** marketing_messages */
  category?: string;
  /** stop or resume */
  value?: string;
  /** Unix seconds, as a number. */
  timestamp?: number;
}

/** Event of a call between a contact and a number. */
export interface UpstreamCallUpdate extends Open {
  id: string;
  from?: string;
  from_user_id?: string;
  /** Only if the portfolio has enabled parent user ids. */
  from_parent_user_id?: string;
  to?: string;
  /** connect, terminate. */
  event?: string;
  /** USER_INITIATED, BUSINESS_INITIATED. */
  direction?: string;
  /** Unix seconds as a string. */
  timestamp?: string;
}

/** Message sent in the business's phone app, with its content in the member named after its type. */
export interface UpstreamMessageEcho extends Open {
  id: string;
  /** The business number. */
  from?: string;
  to?: string;
  to_user_id?: string;
  /** Unix seconds as a string. */
  timestamp: string;
  type: string;
}

/** Message from the history of the business's phone app, extracted from its chat. */
export interface UpstreamHistoryMessage extends UpstreamMessageEcho {
  /** Contact of the chat; absent for a standalone message. */
  thread_id?: string;
  /** Final status: READ, DELIVERED, SENT, PLAYED, PENDING, ERROR. */
  history_status?: string;
}

/** Progress of the message history, or the reason why there is none. */
export interface UpstreamHistoryProgress extends Open {
  /** 0, 1 or 2. */
  phase?: number;
  chunk_order?: number;
  /** Percentage of the whole history. */
  progress?: number;
  code?: number;
  title?: string;
}

/** Change of the address book of the business's phone app. */
export interface UpstreamStateSync extends Open {
  /** contact */
  type?: string;
  contact?: { full_name?: string; first_name?: string; phone_number?: string };
  /** add, edit, remove. */
  action?: string;
  /** Unix seconds as a string. */
  metadata?: { timestamp?: string };
}

/**
 * Value of a change of field `messages`, `user_preferences` or `calls`, or of the fields of the business's phone app,
 * whose message history is flattened.
 */
export interface UpstreamMessagesValue extends Open {
  metadata?: { display_phone_number?: string; phone_number_id?: string };
  contacts?: UpstreamContact[];
  messages?: UpstreamInboundMessage[];
  statuses?: UpstreamStatus[];
  errors?: UpstreamCallbackError[];
  user_preferences?: UpstreamPreference[];
  calls?: UpstreamCallUpdate[];
  message_echoes?: UpstreamMessageEcho[];
  history?: UpstreamHistoryMessage[];
  history_progress?: UpstreamHistoryProgress[];
  state_sync?: UpstreamStateSync[];
}

/** Value of a template change: status, quality, category or components. */
export interface UpstreamTemplateValue extends Open {
  event?: string;
  /** An integer here, but a string in template lists. */
  message_template_id?: number | string;
  message_template_name?: string;
  /** Format en-US or en_US. */
  message_template_language?: string;
  message_template_category?: string;
  reason?: string | null;
  /** Reason for a pause, for example `FIRST_PAUSE`. In that case `reason` is `NONE`. */
  other_info?: { title?: string; description?: string } | null;
}

export interface UpstreamCallback extends Open {
  object: string;
  entry: {
    id: string;
    /** Unix seconds; absent for `messages`. */
    time?: number;
    changes: { field: string; value: UpstreamMessagesValue | UpstreamTemplateValue }[];
  }[];
}
