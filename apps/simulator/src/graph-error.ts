import { randomBytes } from 'node:crypto';

const HTTP_STATUS: Record<number, number> = {
  0: 401,
  190: 401,
  200: 403,
  2: 503,
  3: 500,
  10: 403,
  368: 403,
  130497: 403,
  131000: 500,
  131005: 403,
  131016: 500,
  131031: 403,
  131045: 500,
  131057: 500,
  132001: 404,
  133000: 500,
  133004: 503,
  134102: 500,
};
const FIRST_MESSAGING_CODE = 130_000;

const TITLES: Record<number, string> = {
  4: 'Application request limit reached',
  100: 'Invalid parameter',
  104: 'Access token required',
  80007: 'Rate limit issues',
  130403: 'This business has blocked the end user',
  130429: 'Rate limit hit',
  130472: "User's number is part of an experiment",
  131000: 'Something went wrong',
  131005: 'Access denied',
  131008: 'Required parameter is missing',
  131009: 'Parameter value is not valid',
  131016: 'Service unavailable',
  131021: 'Recipient cannot be sender',
  131026: 'Message undeliverable',
  131030: 'Recipient phone number not in allowed list',
  131031: 'Account has been locked',
  131036: 'Message could not be delivered to a device of the user',
  131042: 'Business eligibility payment issue',
  131047: 'Re-engagement message',
  131048: 'Spam rate limit hit',
  131049: 'This message was not delivered to maintain healthy ecosystem engagement',
  131050: 'User has stopped receiving marketing messages',
  131051: 'Message type unknown',
  131055: 'Method not allowed',
  131052: 'Media download error',
  131053: 'Media upload error',
  131056: '(Business Account, Consumer Account) pair rate limit hit',
  131057: 'Account in maintenance mode',
  131059: 'Invalid pagination cursor',
  131060: 'Message unavailable for now',
  131062: 'Business-scoped user ID is not supported for this message',
  132000: 'Number of parameters does not match the expected number of params',
  132001: 'Template name does not exist in the translation',
  132005: 'Translated text too long',
  132012: 'Parameter format does not match format in the created template',
  132015: 'Template is paused',
  132016: 'Template is disabled',
  132018: 'There is an issue with the parameters in your template',
  133000: 'Incomplete deregistration',
  133004: 'Server temporarily unavailable',
  133005: 'Two step verification PIN Mismatch',
  133006: 'Phone number re-verification needed',
  133008: 'Too many two step verification PIN guesses',
  133009: 'Two step verification PIN Guessed Too Fast',
  133010: 'Phone number not registered',
  133015: 'Please wait a few minutes before attempting to register this phone number',
  133016: 'Account register deregister rate limit exceeded',
  134011: 'Terms of payments were not accepted',
  134100: 'Only marketing messages are supported',
  134101: 'Template is still being synchronised',
  134102: 'Template cannot be used',
  137000: 'Identity of the user has changed',
  147001: 'Username not available',
  147002: 'Account not eligible to request a username',
  147003: 'FB Account not linked',
  147004: 'IG Account not linked',
};

export function titleOf(code: number): string {
  return TITLES[code] ?? 'An error occurred';
}

interface GraphErrorOptions {
  type?: string;
  subcode?: number;
  details?: string;
  userTitle?: string;
  userMessage?: string;
  /** Overrides the default status of the code. */
  httpStatus?: number;
}

/** Error in the platform's envelope. Nothing was sent. */
export class GraphError extends Error {
  readonly httpStatus: number;

  constructor(
    readonly code: number,
    message: string,
    private readonly options: GraphErrorOptions = {},
  ) {
    super(message);
    this.name = 'GraphError';
    this.httpStatus = options.httpStatus ?? HTTP_STATUS[code] ?? 400;
  }

  /** Returns the response body. Messaging errors have details, and Graph errors a subcode. */
  toBody(): object {
    const { type = 'OAuthException', subcode, details, userTitle, userMessage } = this.options;
    return {
      error: {
        message: this.message,
        type,
        code: this.code,
        ...(subcode !== undefined && { error_subcode: subcode }),
        ...(userTitle !== undefined && {
          is_transient: false,
          error_user_title: userTitle,
          error_user_msg: userMessage,
        }),
        ...(details !== undefined && { error_data: { messaging_product: 'whatsapp', details } }),
        fbtrace_id: `A${randomBytes(16).toString('base64url')}`,
      },
    };
  }
}

/** Creates `(#code) title`, with details for messaging codes. */
export function refusal(code: number, details = titleOf(code)): GraphError {
  return new GraphError(code, `(#${code}) ${titleOf(code)}`, code >= FIRST_MESSAGING_CODE ? { details } : {});
}

/** Creates a forced error. An expired token has the Graph's own text. */
export function forcedRefusal(code: number): GraphError {
  if (code !== 190) return refusal(code);
  return new GraphError(code, 'Error validating access token: Session has expired', { subcode: 463 });
}

/** Creates an error of code 100 with a sentence that names the parameter. */
export function invalidParameter(sentence: string): GraphError {
  return new GraphError(100, `(#100) ${sentence}`);
}

/** Creates an error of code 100 for template calls, with a subcode and user-facing texts. */
export function templateRefusal(subcode: number, userTitle: string, userMessage: string): GraphError {
  return new GraphError(100, 'Invalid parameter', { subcode, userTitle, userMessage });
}

/** Creates an error for an unknown id: HTTP 400 with subcode 33, not 404. */
export function unknownObject(id: string, method: string): GraphError {
  const message =
    `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing ` +
    'permissions, or does not support this operation. Please read the Graph API documentation at ' +
    'https://developers.facebook.com/docs/graph-api';
  return new GraphError(100, message, { type: 'GraphMethodException', subcode: 33 });
}

/** Creates an error for an unknown path. @param url path and query */
export function unknownPath(url: string): GraphError {
  return new GraphError(2500, `Unknown path components: ${url.split('?')[0]}`);
}
