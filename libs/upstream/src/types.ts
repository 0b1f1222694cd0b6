/**
 * The Cloud API's wire format, as far as Switchboard reads or writes it. Upstream adds fields at will:
 * everything that arrives may carry more than is named here, and nearly everything may be missing.
 */
interface Open {
  [field: string]: unknown;
}

/** A media object of a send: exactly one of `id` (uploaded before) and `link` (fetched by upstream afterwards). */
export interface UpstreamMedia {
  id?: string;
  link?: string;
  /** Image, video and document only; at most 1,024 characters. */
  caption?: string;
  /** Document only. */
  filename?: string;
}

/** One parameter of a template component. */
export interface UpstreamTemplateParameter extends Open {
  type: string;
  text?: string;
  payload?: string;
  image?: UpstreamMedia;
  video?: UpstreamMedia;
  document?: UpstreamMedia;
}

/** A component of a template send; a component without variables is left out. */
export interface UpstreamSendComponent {
  /** Lower case: header, body, button, limited_time_offer or carousel. */
  type: string;
  /** Buttons only: url, quick_reply, copy_code, catalog, mpm, flow. */
  sub_type?: string;
  /** Buttons only: zero-based position in the template's buttons. */
  index?: string | number;
  parameters?: UpstreamTemplateParameter[];
  /** A carousel only, which has no parameters. */
  cards?: UpstreamSendCard[];
}

/** One card of a carousel that is sent. */
export interface UpstreamSendCard {
  /** Zero-based. */
  card_index: number;
  components: UpstreamSendComponent[];
}

/** The body of a send as a caller of the client writes it; the client adds what never changes. */
export interface UpstreamSendBody {
  /** Digits only; the client writes the leading plus, without which upstream would misroute the message. */
  to?: string;
  /** A user id, in place of `to`. */
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
  /** Comes back in every status of this message; at most 512 characters. */
  biz_opaque_callback_data?: string;
}

/** The 200 answer of a send. It says that the message was taken, not that it will arrive. */
export interface UpstreamSendResponse extends Open {
  messaging_product: 'whatsapp';
  contacts?: { input: string; wa_id?: string; user_id?: string }[];
  messages: { id: string; message_status?: string }[];
}

/** The envelope of a synchronous error. */
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

/** A component as templates are listed; types in upper case. */
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

/** A page of a list; `next` is absent on the last page while the cursors stay. */
export interface UpstreamPage<T> extends Open {
  data: T[];
  paging?: { cursors?: { before?: string; after?: string }; next?: string };
}

/** The number object; `display_phone_number` is formatted here ("+1 555-000-1111"), digits only in callbacks. */
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

/** An error inside a callback: a failed status, a message that could not be read, or the number itself. */
export interface UpstreamCallbackError extends Open {
  code: number;
  title?: string;
  message?: string;
  error_data?: { details?: string };
  href?: string;
}

/** An inbound message; its content sits under the name of its type. `from` is missing for users without a phone. */
export interface UpstreamInboundMessage extends Open {
  id: string;
  from?: string;
  from_user_id?: string;
  /** Unix seconds as a string. */
  timestamp: string;
  type: string;
  context?: { id?: string; from?: string; forwarded?: boolean };
  errors?: UpstreamCallbackError[];
  /** Of what was written to a group. */
  group_id?: string;
}

export interface UpstreamStatus extends Open {
  /** The wamid that the send answered. */
  id: string;
  /** sent, delivered, read, failed, played. */
  status: string;
  /** Unix seconds as a string. */
  timestamp: string;
  recipient_id?: string;
  recipient_user_id?: string;
  /** `group` where the recipient is one. */
  recipient_type?: string;
  biz_opaque_callback_data?: string;
  pricing?: { billable?: boolean; pricing_model?: string; type?: string; category?: string };
  errors?: UpstreamCallbackError[];
}

export interface UpstreamContact extends Open {
  profile?: { name?: string; username?: string };
  wa_id?: string;
  user_id?: string;
}

/** Whether a person takes marketing messages. */
export interface UpstreamPreference extends Open {
  wa_id?: string;
  user_id?: string;
  /** marketing_messages */
  category?: string;
  /** stop or resume */
  value?: string;
  /** Unix seconds, a number here. */
  timestamp?: number;
}

/** A moment of a call between a person and a number. */
export interface UpstreamCallUpdate extends Open {
  id: string;
  from?: string;
  from_user_id?: string;
  to?: string;
  /** connect, terminate. */
  event?: string;
  /** USER_INITIATED, BUSINESS_INITIATED. */
  direction?: string;
  /** Unix seconds as a string. */
  timestamp?: string;
}

/** A message that somebody wrote in the business's phone app; its content sits under the name of its type. */
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

/** An earlier message of the business's phone app, taken out of its chat. */
export interface UpstreamHistoryMessage extends UpstreamMessageEcho {
  /** Whose chat it is from; absent where the message came without one. */
  thread_id?: string;
  /** READ, DELIVERED, SENT, PLAYED, PENDING, ERROR: what had become of it. */
  history_status?: string;
}

/** How far the earlier messages are told, or why none are. */
export interface UpstreamHistoryProgress extends Open {
  /** 0, 1 or 2. */
  phase?: number;
  chunk_order?: number;
  /** Per cent of the whole. */
  progress?: number;
  /** Of an error. */
  code?: number;
  title?: string;
}

/** A change of the address book of the business's phone app. */
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
 * The value of a change of field `messages`, `user_preferences` or `calls`, or of what concerns the business's phone
 * app, whose earlier messages are taken out of their chats.
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

/** The value of a change about a template: status, quality, category or components. */
export interface UpstreamTemplateValue extends Open {
  event?: string;
  /** A JSON integer here, a string in the template lists. */
  message_template_id?: number | string;
  message_template_name?: string;
  /** Spelled en-US or en_US. */
  message_template_language?: string;
  message_template_category?: string;
  reason?: string | null;
  /** Why it was paused, for example `FIRST_PAUSE`; `reason` is `NONE` then. */
  other_info?: { title?: string; description?: string } | null;
}

export interface UpstreamCallback extends Open {
  object: string;
  entry: {
    /** The WABA id. */
    id: string;
    /** Unix seconds; absent on `messages`. */
    time?: number;
    changes: { field: string; value: UpstreamMessagesValue | UpstreamTemplateValue }[];
  }[];
}
